// From a contract and an op's sources to the glue that makes them one plugin: a translation unit
// per dtype column and core kind (and tiling key, where the source needs the key as a constant),
// which includes the kernel under its own DTYPE_* macros, and one that exports the plugin's tables.
//
// One source becomes several builds because kernels branch on macros and types: branches for
// another dtype or another core need not compile.
#ifndef OPKIT_BUILD_CODEGEN_GLUE_H_
#define OPKIT_BUILD_CODEGEN_GLUE_H_

#include <filesystem>
#include <string>
#include <vector>

#include "opkit/base/status.h"
#include "opkit/contract/op_contract.h"

namespace opkit::codegen {

struct GlueRequest {
  const OpContract* contract = nullptr;
  std::filesystem::path kernel;             // op_kernel/<entry>.cpp; not read of an AICPU op
  std::vector<std::filesystem::path> host;  // op_host sources and headers
  std::vector<std::filesystem::path> include_dirs;  // where the kernel's quoted includes are, too
  std::string column;  // the only one to build: its number, its name, or a dtype that only it has
};

// One generated file. name is relative to the output folder.
struct GlueFile {
  std::string name;
  std::string text;
};

// The files of a plugin.
struct Glue {
  std::vector<GlueFile> files;  // kernel_<column>[_<key>]_<pass>.cpp, [kernel_source.h,] plugin.cpp
  // The units include tiling_structs.h, which the compiled host sources write.
  bool includes_tiling_structs = false;
  // The sources in the kernel's folder register a CpuKernel; plugin.cpp is all there is.
  bool is_aicpu = false;
  // Lists the sources that were read beside the contract: a change of one makes the glue stale.
  std::vector<std::filesystem::path> read;
};

// OPK-GEN-003: a template kernel without ASCENDC_TPL_ARGS_DECL; -006: the keys that the source
// needs as constants are not known; -008: a key with a tiling struct of its own is no number; and
// check_entry()'s; -012: the contract has no such column.
Result<Glue> make_glue(const GlueRequest& request);

}  // namespace opkit::codegen

#endif  // OPKIT_BUILD_CODEGEN_GLUE_H_
