// Asks the compiler which calls exist for which element types: one translation unit uses every call
// of the list, and the errors tell which uses do not compile.
#ifndef TESTS_COVERAGE_PROBE_H_
#define TESTS_COVERAGE_PROBE_H_

#include <string>
#include <vector>

#include "tests/coverage/call_list.h"

namespace opkit::coverage {

struct Finding {
  Call call;
  std::vector<std::string> types;  // element types for which the use compiles
  bool exists = false;             // for an untyped call: it compiles
  std::string sentence;            // what the compiler says where the call is absent altogether

  bool present() const { return exists || !types.empty(); }
};

// compiler: a g++; include_dirs: where kernel_operator.h and opkit/ are; work: a scratch directory.
Result<std::vector<Finding>> probe(const std::vector<Call>& calls, const std::string& compiler,
                                   const std::vector<std::string>& include_dirs,
                                   const std::filesystem::path& work);

}  // namespace opkit::coverage

#endif  // TESTS_COVERAGE_PROBE_H_
