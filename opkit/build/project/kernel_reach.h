// Which calls of the cube unit a kernel of an object file reaches (opkit/include/ascendc/reach.h).
#ifndef OPKIT_BUILD_PROJECT_KERNEL_REACH_H_
#define OPKIT_BUILD_PROJECT_KERNEL_REACH_H_

#include <filesystem>
#include <string>

#include "opkit/base/status.h"

namespace opkit::project {

struct CubeReach {
  bool found = false;  // the object holds the kernel
  bool calls_cube = false;
  std::string call;    // one that is reached: "Mmad"
  std::string caller;  // the function that makes it; empty: the kernel itself
};

// Follows the relocations of the object from every function of that name. The object has a section
// per function. Errors: those of reading files. What is no such object holds no kernel.
Result<CubeReach> cube_reach(const std::filesystem::path& object, const std::string& kernel);

}  // namespace opkit::project

#endif  // OPKIT_BUILD_PROJECT_KERNEL_REACH_H_
