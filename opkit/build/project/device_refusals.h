// What the chip's compiler refuses in functions of the device, where functions of the host stand in
// the same source.
#ifndef OPKIT_BUILD_PROJECT_DEVICE_REFUSALS_H_
#define OPKIT_BUILD_PROJECT_DEVICE_REFUSALS_H_

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "opkit/base/status.h"

namespace opkit::project {

// Tells whether all that stopped the compiler are such refusals, and every one in a function of the
// host.
bool refuses_host_code_only(const std::string& log);

// Returns a function of the device that has more variables than the stack of a core holds, by the
// compiler's report of stack usage. source: the place of a kernel that the compiler put into its
// launcher.
std::optional<Error> too_large_frame(const std::filesystem::path& report, uint64_t limit,
                                     const std::filesystem::path& source);

}  // namespace opkit::project

#endif  // OPKIT_BUILD_PROJECT_DEVICE_REFUSALS_H_
