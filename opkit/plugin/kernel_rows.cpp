#include <deque>
#include <map>
#include <utility>
#include <vector>

#include "opkit/include/opkit_host/plugin_table.h"

namespace opkit_host {
namespace {

class KernelTable {
 public:
  KernelTable(const KernelUnit* units, size_t unit_count, const char* entry, uint32_t arg_count) {
    for (size_t u = 0; u < unit_count; ++u) {
      for (uint32_t i = 0; i < units[u].unit->count; ++i)
        add(units[u], units[u].unit->rows[i], entry, arg_count);
    }
    for (const opk_kernel_v1& kernel : kernels_) {
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
    opk_kernel_fn& entry_of_kind = unit.kind == OPK_CORE_AIC   ? kernel.aic
                                   : unit.kind == OPK_CORE_AIV ? kernel.aiv
                                                               : kernel.mix;
    if (entry_of_kind == nullptr) entry_of_kind = row.run;
  }

  std::deque<opk_kernel_v1> kernels_;
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
