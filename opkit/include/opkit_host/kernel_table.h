// The compiled units of a plugin's kernel as the waist's rows: one per column and tiling key, with
// the entries for each kind of core.
#ifndef OPKIT_HOST_KERNEL_TABLE_H_
#define OPKIT_HOST_KERNEL_TABLE_H_

#include <deque>
#include <map>
#include <utility>
#include <vector>

#include "opkit_host/report.h"
#include "opkit_kernel/unit.h"

namespace opkit_host {

struct KernelUnit {
  uint32_t column;
  opk_core_kind kind;
  const opkit_kernel::Unit* unit;
};

class OPKIT_HOST_LOCAL KernelTable {
 public:
  template <size_t N>
  KernelTable(const KernelUnit (&units)[N], const char* entry, uint32_t arg_count) {
    for (const KernelUnit& unit : units) {
      for (uint32_t i = 0; i < unit.unit->count; ++i)
        add(unit, unit.unit->rows[i], entry, arg_count);
    }
    for (const opk_kernel_v1& kernel : kernels_) {
      if (kernel.aic != nullptr || kernel.aiv != nullptr || kernel.mix != nullptr) {
        rows_.push_back(&kernel);
      }
    }
  }
  KernelTable(const KernelTable&) = delete;
  KernelTable& operator=(const KernelTable&) = delete;

  const opk_kernel_v1* const* rows() const { return rows_.data(); }
  uint32_t count() const { return static_cast<uint32_t>(rows_.size()); }

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
    opk_kernel_fn& entry_of_kind = unit.kind == OPK_CORE_AIC   ? kernel.aic
                                   : unit.kind == OPK_CORE_AIV ? kernel.aiv
                                                               : kernel.mix;
    if (entry_of_kind == nullptr) entry_of_kind = row.run;
  }

  std::deque<opk_kernel_v1> kernels_;
  std::map<std::pair<uint32_t, uint64_t>, opk_kernel_v1*> places_;
  std::vector<const opk_kernel_v1*> rows_;
};

}  // namespace opkit_host

#endif  // OPKIT_HOST_KERNEL_TABLE_H_
