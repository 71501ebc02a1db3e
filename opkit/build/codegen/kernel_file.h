// KernelFile: what one file of a kernel, its source or one of its headers, says about keys, kernel
// types, templates and tiling structs.
#ifndef OPKIT_BUILD_CODEGEN_KERNEL_FILE_H_
#define OPKIT_BUILD_CODEGEN_KERNEL_FILE_H_

#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "opkit/base/status.h"
#include "opkit/build/codegen/kernel_source.h"
#include "opkit/build/source_text/tokens.h"

namespace opkit::codegen {

// What every file of a kernel contributes to.
struct KernelReading {
  explicit KernelReading(std::string name) : entry(std::move(name)) {}

  std::string entry;
  KernelSource result;
  std::vector<std::string> raw_keys;         // are as written
  std::map<std::string, std::string> names;  // constants: word -> word with its namespaces
  std::set<std::filesystem::path> seen;      // files
};

// REQUIRES: text and name outlive it.
class KernelFile {
 public:
  KernelFile(const std::string& text, const std::string& name)
      : text_(text), name_(name), tokens_(source_text::tokens_of(text)) {}

  // Names of quoted includes, as written.
  std::vector<std::string> includes() const;
  // Errors as read_kernel().
  Status read_into(KernelReading& reading) const;

 private:
  const std::string& text_;
  const std::string& name_;
  std::vector<source_text::Token> tokens_;
};

}  // namespace opkit::codegen

#endif  // OPKIT_BUILD_CODEGEN_KERNEL_FILE_H_
