// From a contract and an op's sources to the glue that makes them one plugin: a translation unit
// per dtype column and core kind (and tiling key, where the source needs the key as a constant),
// which includes the kernel under its own DTYPE_* macros, and one that exports the plugin's tables.
//
// One source becomes several builds because kernels branch on macros and types: branches for
// another dtype or another core need not compile.
#ifndef OPKIT_CODEGEN_GLUE_H_
#define OPKIT_CODEGEN_GLUE_H_

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "opkit/base/status.h"
#include "opkit/contract/op_contract.h"

namespace opkit::codegen {

struct GlueRequest {
  const OpContract* contract = nullptr;
  std::filesystem::path kernel;             // op_kernel/<entry>.cpp
  std::vector<std::filesystem::path> host;  // op_host/*.cpp
  std::vector<std::filesystem::path> host_headers;
  std::vector<std::filesystem::path> include_dirs;  // where the kernel's quoted includes are, too
};

// One generated file. name is relative to the output folder.
struct GlueFile {
  std::string name;
  std::string text;
};

// The files of a plugin: kernel_<column>[_<key>]_<pass>.cpp, plugin.cpp and, when the host sources
// define tiling data by macro, tiling_structs.h. OPK-GEN-003: a template kernel without
// ASCENDC_TPL_ARGS_DECL; -006: the keys that the source needs as constants are not known;
// -008: a key with a tiling struct of its own is no number.
Result<std::vector<GlueFile>> make_glue(const GlueRequest& request);

// Plain structs for BEGIN_TILING_DATA_DEF definitions in host sources, and the alias of the op's
// default struct. Empty when there are none.
Result<std::string> tiling_structs(const std::string& op_type,
                                   const std::vector<std::string>& host_sources);

// Structs registered for single keys, REGISTER_TILING_DATA_CLASS(Op_<key>, Struct): key, struct.
std::vector<std::pair<std::string, std::string>> key_structs(
    const std::string& op_type, const std::vector<std::string>& host_sources);

}  // namespace opkit::codegen

#endif  // OPKIT_CODEGEN_GLUE_H_
