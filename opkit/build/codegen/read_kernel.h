// Reading of a kernel's source with the headers that it includes in quotes, as tokens; conditionals
// of the preprocessor are not evaluated, so that what any branch says counts.
#ifndef OPKIT_BUILD_CODEGEN_READ_KERNEL_H_
#define OPKIT_BUILD_CODEGEN_READ_KERNEL_H_

#include <filesystem>
#include <string>
#include <vector>

#include "opkit/base/status.h"
#include "opkit/build/codegen/kernel_source.h"

namespace opkit::codegen {

// OPK-GEN-001: unknown kernel type; -004: two different KERNEL_TASK_TYPE_DEFAULT; -005: a template
// parameter that ASCENDC_TPL_* cannot give.
// Included files are looked for beside the one that includes them, then in include_dirs.
Result<KernelSource> read_kernel(const std::filesystem::path& file, const std::string& entry,
                                 const std::vector<std::filesystem::path>& include_dirs = {});

// Reads one text without its headers; `file` is for messages.
Result<KernelSource> read_kernel_text(const std::string& text, const std::string& file,
                                      const std::string& entry);

}  // namespace opkit::codegen

#endif  // OPKIT_BUILD_CODEGEN_READ_KERNEL_H_
