// The coverage table: how many public tests of each operator pass, fail, or are not implemented.
#ifndef TESTS_ONNX_COVERAGE_H_
#define TESTS_ONNX_COVERAGE_H_

#include <map>
#include <string>

#include "tests/onnx/case.h"

namespace opkit::onnx_tests {

struct Counts {
  int passed = 0;
  int failed = 0;
  int not_implemented = 0;
  std::map<std::string, int> reasons;  // counts what is not implemented

  int total() const { return passed + failed + not_implemented; }
  void add(const Outcome& outcome);
};

struct Coverage {
  std::map<std::string, Counts> operators;  // suite "node", by operator
  std::map<std::string, Counts> suites;     // every suite
};

// Runs every case of every suite.
Coverage measure();

// The text of docs/reference-ops.md.
std::string to_markdown(const Coverage& coverage);

}  // namespace opkit::onnx_tests

#endif  // TESTS_ONNX_COVERAGE_H_
