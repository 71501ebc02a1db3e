// Case: one public ONNX test, read from its folder: a model, and inputs with expected outputs.
#ifndef TESTS_ONNX_CASE_H_
#define TESTS_ONNX_CASE_H_

#include <filesystem>
#include <string>
#include <vector>

#include "opkit/reference/evaluate.h"

namespace opkit::onnx_tests {

struct DataSet {
  reference::NamedTensors inputs;
  reference::NamedTensors expected;
};

struct Case {
  std::string suite;  // "node"
  std::string name;   // "test_add"
  std::string op;     // the operator the case is about
  graph::Graph graph;
  std::vector<DataSet> data;
  // Why the case cannot be given to the interpreter (strings, sequences, subgraphs); empty if it
  // can.
  std::string unsupported;
};

// Reads one folder. The error is about a folder that is no test at all.
Result<Case> read_case(const std::filesystem::path& folder);

// The operator of a folder's model; of the last node when there are several.
std::string operator_of(const std::filesystem::path& folder);

enum class Verdict { kPassed, kFailed, kNotImplemented };

struct Outcome {
  Verdict verdict = Verdict::kPassed;
  std::string reason;  // explains what did not pass
};

// Evaluates every data set with values rounded to their dtypes and compares.
Outcome run(const Case& test);

// Where Debian's libonnx-testdata puts the suites.
std::filesystem::path data_folder();
// The folders of a suite in alphabetic order.
std::vector<std::filesystem::path> folders_of(const std::string& suite);
// The suites that are run.
const std::vector<std::string>& suites();

}  // namespace opkit::onnx_tests

#endif  // TESTS_ONNX_CASE_H_
