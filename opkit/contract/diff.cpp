#include "opkit/contract/diff.h"

#include <fmt/format.h>

#include <algorithm>

#include "opkit/contract/diff_parts.h"

namespace opkit {
namespace {

void compare_numeric(const OpContract& before, const OpContract& after, Changes& changes) {
  const NumericPolicy& a = before.numeric;
  const NumericPolicy& b = after.numeric;
  if (a.overflow != b.overflow) changes.major("numeric.overflow changed", "big results differ");
  if (a.nan != b.nan) changes.major("numeric.nan changed", "results of NaN differ");
  if (a.rounding != b.rounding) changes.major("numeric.rounding changed", "results differ");
  if (a.accumulate != b.accumulate)
    changes.minor("numeric.accumulate changed", "results differ within another bound");
  if (a.order == b.order) return;
  if (b.order == NumericPolicy::Order::kFixed) {
    changes.minor("numeric.order: any -> fixed", "results no longer depend on the schedule");
  } else {
    changes.major("numeric.order: fixed -> any", "results may depend on the schedule now");
  }
}

// Returns the column of `after` with the same dtypes and formats of inputs.
std::optional<size_t> matching_column(const OpContract& before, size_t column,
                                      const OpContract& after) {
  for (size_t other = 0; other < after.column_count(); ++other) {
    const bool same =
        std::all_of(before.inputs.begin(), before.inputs.end(), [&](const Port& port) {
          const Port* input = after.input(port.name);
          return input && input->dtypes[other] == port.dtypes[column] &&
                 input->formats[other] == port.formats[column];
        });
    if (same) return other;
  }
  return std::nullopt;
}

void compare_tolerance(const OpContract& before, const OpContract& after, Changes& changes) {
  bool tighter = false, looser = false;
  for (size_t column = 0; column < before.column_count(); ++column) {
    const auto same = matching_column(before, column, after);
    if (!same) continue;
    const Tolerance* old_one = before.tolerance_of(column);
    const Tolerance* new_one = after.tolerance_of(*same);
    looser |= new_one && (!old_one || new_one->value > old_one->value ||
                          new_one->absolute > old_one->absolute);
    tighter |= old_one && (!new_one || new_one->value < old_one->value ||
                           new_one->absolute < old_one->absolute);
  }
  if (looser)
    changes.major("the tolerance is looser", "results may be less exact than promised before");
  if (tighter && !looser)
    changes.minor("the tolerance is tighter", "results are at least as exact");
}

void compare_soc(const OpContract& before, const OpContract& after, Changes& changes) {
  const auto has = [](const std::vector<std::string>& list, const std::string& soc) {
    return list.empty() || std::count(list.begin(), list.end(), soc) > 0;
  };
  for (const std::string& soc : before.soc) {
    if (!has(after.soc, soc)) changes.major("SoC removed: " + soc, "the op is refused there now");
  }
  if (before.soc.empty() && !after.soc.empty())
    changes.major("soc lists some SoCs, was every one", "the op is refused on the others now");
  if (!before.soc.empty() && after.soc.empty())
    changes.minor("soc: every one", "the op is offered on more SoCs");
  for (const std::string& soc : after.soc) {
    if (!has(before.soc, soc)) changes.minor("SoC added: " + soc, "the op is offered there now");
  }
}

std::string kernel_text(const OpContract& contract) {
  if (!contract.kernel) return "";
  return fmt::format("{} {} {}", contract.kernel->entry, contract.kernel->task_type,
                     fmt::join(contract.kernel->tiling_keys, ","));
}

bool same_cases(const std::vector<Case>& a, const std::vector<Case>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const Case& x, const Case& y) {
    return x.symbols == y.symbols && x.attrs == y.attrs;
  });
}

void compare_rest(const OpContract& before, const OpContract& after, Changes& changes) {
  if (kernel_text(before) != kernel_text(after))
    changes.patch("kernel changed", "callers do not see it; plugins are rebuilt");
  if (!same_cases(before.tests, after.tests) || before.test_values != after.test_values)
    changes.patch("tests changed", "what callers see stays");
  if (!same_cases(before.bench, after.bench))
    changes.patch("bench changed", "what callers see stays");
  if (before.golden != after.golden)
    changes.patch("golden files changed", "what callers see stays");
  if (before.doc != after.doc) changes.patch("doc changed", "it is text");
}

}  // namespace

ContractDiff diff_contracts(const OpContract& before, const OpContract& after) {
  Changes changes;
  if (before.op != after.op) changes.major(changed("op", before.op, after.op), "it is another op");
  compare_ports(before, after, changes);
  compare_columns(before, after, changes);
  compare_attrs(before, after, changes);
  compare_constraints(before, after, changes);
  compare_reference(before, after, changes);
  compare_numeric(before, after, changes);
  compare_tolerance(before, after, changes);
  compare_soc(before, after, changes);
  compare_rest(before, after, changes);
  return {before.version, after.version, changes.take()};
}

}  // namespace opkit
