// The list tests/coverage/calls.yaml: documented calls of the kernel API, by chapter, each with one
// use.
#ifndef TESTS_COVERAGE_CALL_LIST_H_
#define TESTS_COVERAGE_CALL_LIST_H_

#include <filesystem>
#include <string>
#include <vector>

#include "opkit/base/status.h"

namespace opkit::coverage {

struct Call {
  std::string chapter;
  std::string name;
  std::string use;  // C++ statements; or "#define NAME": the macro NAME must exist

  bool is_macro() const { return use.rfind("#define ", 0) == 0; }
  // The use names an element type, so it is tried for each.
  bool is_typed() const;
};

// The calls in file order.
Result<std::vector<Call>> read_calls(const std::filesystem::path& path);

// Every element type of the kernel API, as kernels spell it.
const std::vector<std::string>& element_types();

}  // namespace opkit::coverage

#endif  // TESTS_COVERAGE_CALL_LIST_H_
