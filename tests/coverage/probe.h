// Asks the compiler which calls exist for which element types: every use has a translation unit of
// its own, and the errors tell which of its instantiations do not compile.
#ifndef TESTS_COVERAGE_PROBE_H_
#define TESTS_COVERAGE_PROBE_H_

#include <string>
#include <vector>

#include "tests/coverage/call_list.h"

namespace opkit::coverage {

// A documented form that does not compile.
struct Gap {
  std::string name;
  std::vector<std::string> types;  // names the element types that lack the form; empty: all do
};

struct Finding {
  enum class Status { kHave, kPartly, kNot };

  Call call;
  std::vector<std::string> types;  // element types for which the use compiles
  bool exists = false;             // says whether an untyped call compiles
  std::vector<Gap> gaps;
  std::string sentence;                // what the compiler says where the call is absent altogether
  std::vector<std::string> elsewhere;  // what it says to the forms of newer chips

  bool present() const { return exists || !types.empty(); }
  // Documented types for which the use does not compile, and others for which it does.
  std::vector<std::string> missing_types() const;
  std::vector<std::string> further_types() const;
  Status status() const;
};

// compiler: a g++; include_dirs: where kernel_operator.h and opkit/ are; work: a scratch directory.
Result<std::vector<Finding>> probe(const std::vector<Call>& calls, const std::string& compiler,
                                   const std::vector<std::string>& include_dirs,
                                   const std::filesystem::path& work);

}  // namespace opkit::coverage

#endif  // TESTS_COVERAGE_PROBE_H_
