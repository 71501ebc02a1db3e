// The lists tests/coverage/calls/*.yaml: documented calls of the kernel API, by chapter, each with
// uses that the compiler is asked about and the test that compares it with a twin.
#ifndef TESTS_COVERAGE_CALL_LIST_H_
#define TESTS_COVERAGE_CALL_LIST_H_

#include <filesystem>
#include <string>
#include <vector>

#include "opkit/base/status.h"

namespace opkit::coverage {

// C++ statements; or "#define NAME": the macro NAME must exist.
struct Use {
  std::string name;  // names a further documented form: "vector of scales"; empty: the call itself
  std::string text;

  bool is_macro() const { return text.rfind("#define ", 0) == 0; }
  // The use names an element type, so it is tried for each.
  bool is_typed() const;
};

struct Call {
  std::string chapter;
  std::string name;
  Use use;
  std::vector<std::string> documented;  // element types that the vendor's page gives arch 2201
  std::vector<Use> forms;               // overloads and options beside `use`
  std::vector<Use> elsewhere;           // forms that the page gives to newer chips only
  std::vector<std::string> lacks;       // what is known to be missing and no use can show
  std::string test;                     // "Suite.Case" of the conformance suite, or empty
};

// The calls of every *.yaml of a folder, by file name and then in file order.
Result<std::vector<Call>> read_calls(const std::filesystem::path& folder);

// Every element type of the kernel API, as kernels spell it.
const std::vector<std::string>& element_types();

}  // namespace opkit::coverage

#endif  // TESTS_COVERAGE_CALL_LIST_H_
