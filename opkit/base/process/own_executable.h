// The file of the program that runs.
#ifndef OPKIT_BASE_PROCESS_OWN_EXECUTABLE_H_
#define OPKIT_BASE_PROCESS_OWN_EXECUTABLE_H_

#include <filesystem>

namespace opkit {

// Returns the path of this program from /proc, and where that is not mounted from what the kernel
// was asked to run. Empty: unknown.
std::filesystem::path own_executable();

}  // namespace opkit

#endif  // OPKIT_BASE_PROCESS_OWN_EXECUTABLE_H_
