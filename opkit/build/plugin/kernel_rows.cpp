#include <algorithm>
#include <deque>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "opkit/include/opkit_host/plugin_table.h"

// The marks of a name that the linker kept, behind one of this file: of a section that is gone
// altogether the linker makes no bounds.
#define OPKIT_REACH_BOUNDS(name)                                                          \
  __attribute__((used, section("opkit_reach_" #name))) ReachMark none_##name = {nullptr}; \
  extern ReachMark start_##name[] __asm__("__start_opkit_reach_" #name)                   \
      __attribute__((visibility("hidden")));                                              \
  extern ReachMark stop_##name[] __asm__("__stop_opkit_reach_" #name)                     \
      __attribute__((visibility("hidden")));                                              \
  bool has_##name(const opkit_kernel::Unit& unit) {                                       \
    return none_##name.unit == nullptr &&                                                 \
           std::any_of(start_##name, stop_##name,                                         \
                       [&](const ReachMark& mark) { return mark.unit == unit.marks; });   \
  }

namespace opkit_host {
namespace {

// As ascendc/reach.h makes them.
struct ReachMark {
  const void* unit;
};
OPKIT_REACH_BOUNDS(cube_Mmad)
OPKIT_REACH_BOUNDS(cube_LoadData)
OPKIT_REACH_BOUNDS(cube_Fixpipe)
OPKIT_REACH_BOUNDS(cube_Matmul)
OPKIT_REACH_BOUNDS(key)

bool reaches_cube(const opkit_kernel::Unit& unit) {
  return has_cube_Mmad(unit) || has_cube_LoadData(unit) || has_cube_Fixpipe(unit) ||
         has_cube_Matmul(unit);
}

class KernelTable {
 public:
  KernelTable(const KernelUnit* units, size_t unit_count, const char* entry, uint32_t arg_count) {
    for (size_t u = 0; u < unit_count; ++u) {
      for (uint32_t i = 0; i < units[u].unit->count; ++i)
        add(units[u], units[u].unit->rows[i], entry, arg_count);
    }
    for (opk_kernel_v1& kernel : kernels_) {
      decide(kernel);
      if (kernel.aic != nullptr || kernel.aiv != nullptr || kernel.mix != nullptr) {
        rows_.push_back(&kernel);
      }
    }
  }
  KernelTable(const KernelTable&) = delete;
  KernelTable& operator=(const KernelTable&) = delete;

  KernelRows rows() const { return {rows_.data(), static_cast<uint32_t>(rows_.size())}; }

 private:
  // A combination that several selections list is one row; the first of them counts.
  void add(const KernelUnit& unit, const opkit_kernel::Row& row, const char* entry,
           uint32_t arg_count) {
    auto [found, fresh] = places_.emplace(std::make_pair(unit.column, row.key), nullptr);
    if (fresh) {
      kernels_.push_back({sizeof(opk_kernel_v1), unit.column, row.key, entry, row.task_type,
                          arg_count, nullptr, nullptr, nullptr});
      found->second = &kernels_.back();
    }
    opk_kernel_v1& kernel = *found->second;
    if (row.run == nullptr || kernel.task_type != row.task_type) return;
    if (reaches_cube(*unit.unit)) mixed_.insert(&kernel);
    if (has_key(*unit.unit)) keyed_.insert(&kernel);
    opk_kernel_fn& entry_of_kind = unit.kind == OPK_CORE_AIC   ? kernel.aic
                                   : unit.kind == OPK_CORE_AIV ? kernel.aiv
                                                               : kernel.mix;
    if (entry_of_kind == nullptr) entry_of_kind = row.run;
  }

  // A kernel that states no type is mixed when one of its units calls the cube unit. One in whose
  // sources no key was seen is built for key 0 alone, unless code that was not read as text (of a
  // macro, of a header elsewhere) asks for the key.
  void decide(opk_kernel_v1& kernel) const {
    if (kernel.tiling_key == opkit_kernel::kKeyByReach)
      kernel.tiling_key = keyed_.count(&kernel) != 0 ? OPK_ANY_TILING_KEY : 0;
    if (kernel.task_type != opkit_kernel::kTypeByReach) return;
    const bool mixed = mixed_.count(&kernel) != 0;
    kernel.task_type = mixed ? OPK_TASK_MIX_1_2 : OPK_TASK_AIV_ONLY;
    if (!mixed) kernel.aic = nullptr;
  }

  std::deque<opk_kernel_v1> kernels_;
  std::set<const opk_kernel_v1*> mixed_, keyed_;
  std::map<std::pair<uint32_t, uint64_t>, opk_kernel_v1*> places_;
  std::vector<const opk_kernel_v1*> rows_;
};

}  // namespace

KernelRows kernel_rows(const KernelUnit* units, size_t unit_count, const char* entry,
                       uint32_t arg_count) {
  // Tables live as long as the library, and their places stay.
  static std::deque<KernelTable> tables;
  tables.emplace_back(units, unit_count, entry, arg_count);
  return tables.back().rows();
}

}  // namespace opkit_host
