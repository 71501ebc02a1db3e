// The text of one kernel unit: the source under the macros of a column, a kind of core and, where
// the source needs it as a constant, a tiling key.
#ifndef OPKIT_BUILD_CODEGEN_KERNEL_UNIT_H_
#define OPKIT_BUILD_CODEGEN_KERNEL_UNIT_H_

#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "opkit/abi/types.h"
#include "opkit/build/codegen/kernel_source.h"
#include "opkit/contract/op_contract.h"

namespace opkit::codegen {

struct Pass {
  opk_core_kind kind;
  const char* word;  // stands in file and symbol names
};

// What is the same for all units of a kernel.
struct KernelPlan {
  const OpContract* contract = nullptr;
  std::filesystem::path file;
  std::string entry;
  KernelSource source;
  int task_type = 0;  // where neither key nor selection says another
  std::vector<Pass> passes;
  std::vector<std::string> keys;  // that launches may have, as C++ text; empty: not known
  bool unit_per_key = false;
  bool launches = false;      // kernel_source.h stands for the file, without its launches
  bool has_structs = false;   // tiling_structs.h exists
  bool host_structs = false;  // it chooses structs for single keys
  // Structs of single keys in the kernel's statements: a condition over TILING_KEY_VAR, the struct.
  std::vector<std::pair<std::string, std::string>> structs;
  std::optional<size_t> only_column;  // the others are left out
  uint32_t fused_arch = 0;            // npu_arch that units for cores that do both speak for
};

struct UnitPlace {
  size_t column;
  std::optional<size_t> key;  // place in KernelPlan::keys
  Pass pass;

  std::string stem() const;  // "c0_k1_aiv"
};

// Returns one per column, key (if the plan says so) and pass.
std::vector<UnitPlace> places_of(const KernelPlan& plan);

std::string unit_text(const KernelPlan& plan, const UnitPlace& place);

// Name of the unit's table, of type opkit_kernel::Unit.
std::string symbol_of(const UnitPlace& place);

// Inputs, outputs, workspace, tiling.
size_t argument_count(const OpContract& contract);

}  // namespace opkit::codegen

#endif  // OPKIT_BUILD_CODEGEN_KERNEL_UNIT_H_
