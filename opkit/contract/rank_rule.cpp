#include "opkit/contract/rank_rule.h"

#include <algorithm>

namespace opkit {

std::optional<Expr> rank_rule(const OpContract& contract, const std::string& list) {
  for (const Constraint& constraint : contract.where) {
    for (const Expr& part : constraint.rule.conjuncts()) {
      const auto stated = part.stated_rank();
      if (!stated || stated->list != list) continue;
      const auto& names = stated->rank.names();
      if (std::all_of(names.begin(), names.end(),
                      [&](const Expr::Name& name) { return contract.attr(name.name) != nullptr; }))
        return stated->rank;
    }
  }
  return std::nullopt;
}

bool tells_lists_apart(const OpContract& contract, const Constraint& constraint) {
  const auto stated = constraint.rule.stated_rank();
  if (!stated || !rank_rule(contract, stated->list)) return false;
  return std::any_of(contract.inputs.begin(), contract.inputs.end(), [&](const Port& port) {
    const auto lists = [](const Expr& item) { return item.type() == Expr::Type::kList; };
    const auto same = [&](const Expr& item) {
      return lists(item) && item.bare_name() == stated->list;
    };
    const auto& items = port.shape.items;
    return std::any_of(items.begin(), items.end(), same) &&
           std::count_if(items.begin(), items.end(), lists) > 1;
  });
}

}  // namespace opkit
