// The first thing that went wrong, out of what cmake, ninja and the compiler said.
#ifndef OPKIT_BUILD_PROJECT_BUILD_LOG_H_
#define OPKIT_BUILD_PROJECT_BUILD_LOG_H_

#include <optional>
#include <string>
#include <vector>

#include "opkit/base/status.h"

namespace opkit::project {

struct FirstError {
  Location where;
  std::string message;
  std::string excerpt;  // the source lines that the tool shows below it, or empty
};

// Returns a compiler's or linker's error; of opkit's own tools, their error; of cmake, its message.
std::optional<FirstError> first_error(const std::string& log);
// Returns every error of the compiler.
std::vector<FirstError> all_errors(const std::string& log);

// Tells whether a file is a checkout's, opkit/include/..., or an installed one, include/opkit/...
bool is_of_sdk(const std::string& file);

// "[3/7] Building ..." -> 3 of 7.
struct NinjaStep {
  size_t done = 0, total = 0;
  std::string text;
};
std::optional<NinjaStep> ninja_step(const std::string& line);

}  // namespace opkit::project

#endif  // OPKIT_BUILD_PROJECT_BUILD_LOG_H_
