// What to do about errors of the host's compiler that stand for something of the chip's compiler:
// their own words speak of opkit's types, or of templates.
#ifndef OPKIT_BUILD_PROJECT_COMPILER_ADVICE_H_
#define OPKIT_BUILD_PROJECT_COMPILER_ADVICE_H_

#include <optional>
#include <string>

namespace opkit::project {

struct CompilerAdvice {
  std::string message, action;
};

// Finds the advice for the message of one error; none when its own words say enough.
std::optional<CompilerAdvice> advice_for(const std::string& message);

// Says that a function of the device has more variables than a core has stack.
CompilerAdvice frame_advice(const std::string& function, const std::string& bytes);

// Tells whether an error is of what the chip's compiler refuses in functions of the device, and
// lets pass in functions of the host.
bool is_of_device_only(const std::string& message);

}  // namespace opkit::project

#endif  // OPKIT_BUILD_PROJECT_COMPILER_ADVICE_H_
