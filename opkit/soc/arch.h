// ArchSpec: what the cores of one architecture execute, as data: the YAML files of opkit/soc/archs,
// embedded into the library. Chips of one architecture share a file.
#ifndef OPKIT_SOC_ARCH_H_
#define OPKIT_SOC_ARCH_H_

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "opkit/abi/arch.h"
#include "opkit/abi/core.h"
#include "opkit/base/status.h"

namespace opkit {

class ArchSpec {
 public:
  ArchSpec();
  ArchSpec(const ArchSpec&) = delete;
  ArchSpec& operator=(const ArchSpec&) = delete;

  // Returns the waist's form; valid as long as this.
  const opk_arch_v1& table() const { return table_; }
  const std::string& name() const { return name_; }
  bool has(opk_arch_call call) const { return has_[call] != 0; }
  // Element types of the destination; 0 = does not exist.
  opk_types vector_types(uint32_t op) const { return vector_[op]; }

 private:
  friend class ArchParser;
  friend class ArchCatalog;
  const char* keep(std::string text) { return texts_.emplace_back(std::move(text)).c_str(); }

  opk_arch_v1 table_{};
  std::string name_;
  std::deque<std::string> texts_;
  std::vector<opk_types> vector_;
  std::vector<const char*> vector_instead_, instead_;
  std::vector<opk_named_call> named_;
  std::vector<uint8_t> has_;
};

// `name` is what error positions carry. The table knows no other architecture.
Status parse_arch(std::string_view yaml, std::string name, ArchSpec& arch);

// OPK-SOC-003: no file of opkit/soc/archs describes it.
Result<const ArchSpec*> find_arch(uint32_t npu_arch);

// Lists them in the order of the files' names.
std::vector<const ArchSpec*> all_archs();

// "PAD_COPY" -> "pad_copy", the word in the files.
const char* arch_call_name(opk_arch_call call);
// "Add", as kernels call it.
const char* vector_instruction_name(uint32_t op);

}  // namespace opkit

#endif  // OPKIT_SOC_ARCH_H_
