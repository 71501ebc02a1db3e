// Launching a kernel by its name: what the vendor's ascendc_library builds generate as
// aclrtlaunch_<kernel>.h.
#ifndef OPKIT_BUILD_SOURCE_TEXT_BY_NAME_H_
#define OPKIT_BUILD_SOURCE_TEXT_BY_NAME_H_

#include <string>

#include "opkit/base/status.h"
#include "opkit/build/source_text/source.h"

namespace opkit::source_text {

struct Launcher {
  std::string header;      // declares aclrtlaunch_<kernel> and ACLRT_LAUNCH_KERNEL
  std::string definition;  // goes into the source that defines the kernel, behind its text
};

// "x,y,tiling": the names of the kernel's parameters; of one without a name nothing stands between
// the commas.
std::string parameter_names(const KernelDefinition& kernel);

// Pointers to GM become void*. OPK-CC-010: a parameter that is no type with a name.
Result<Launcher> launcher_of(const KernelDefinition& kernel, const std::string& file);

}  // namespace opkit::source_text

#endif  // OPKIT_BUILD_SOURCE_TEXT_BY_NAME_H_
