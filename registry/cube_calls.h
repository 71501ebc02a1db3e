// Which calls of the cube unit the kernels of a library reach, by the marks that its linker kept
// (opkit/include/ascendc/reach.h). They make a kernel mixed that states no type.
#ifndef OPKIT_REGISTRY_CUBE_CALLS_H_
#define OPKIT_REGISTRY_CUBE_CALLS_H_

#include <filesystem>
#include <string>
#include <vector>

namespace opkit::registry {

// "Mmad", "LoadData", ...; empty for what is no library, and for one whose sections were stripped.
std::vector<std::string> cube_calls_of(const std::filesystem::path& library);

}  // namespace opkit::registry

#endif  // OPKIT_REGISTRY_CUBE_CALLS_H_
