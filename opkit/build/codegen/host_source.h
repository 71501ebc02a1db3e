// What the op_host sources say about tiling data, as far as it must be known before they are
// compiled: the structs themselves are what the compiled sources say (opkit_host/tiling_struct.h).
#ifndef OPKIT_BUILD_CODEGEN_HOST_SOURCE_H_
#define OPKIT_BUILD_CODEGEN_HOST_SOURCE_H_

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace opkit::codegen {

struct HostSource {
  std::vector<std::filesystem::path> files;  // that were read, or that are not there
  bool registers_tiling = false;             // REGISTER_TILING_DATA_CLASS
  // Structs for single keys, REGISTER_TILING_DATA_CLASS(Op_<key>, Struct), in any branch of the
  // preprocessor: key, struct.
  std::vector<std::pair<std::string, std::string>> key_structs;
};

// Files are read with what they include in quotes, which is looked for beside the file that
// includes it, then in the folders. What is not found is the compiler's business.
HostSource read_host(const std::string& op_type, const std::vector<std::filesystem::path>& files,
                     const std::vector<std::filesystem::path>& folders);

}  // namespace opkit::codegen

#endif  // OPKIT_BUILD_CODEGEN_HOST_SOURCE_H_
