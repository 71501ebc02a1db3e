#include "opkit/reference/operators.h"

#include <algorithm>

#include "opkit/reference/control.h"
#include "opkit/reference/families.h"
#include "opkit/reference/opaque.h"
#include "opkit/reference/unfit.h"

namespace opkit::reference {
namespace {

bool by_name(const Operator& a, const Operator& b) { return a.name < b.name; }

Operators joined() {
  Operators all;
  for (const auto family : kFamilies) {
    for (Operator& op : family()) all.push_back(std::move(op));
  }
  std::sort(all.begin(), all.end(), by_name);
  return all;
}

}  // namespace

const Operators& all_operators() {
  static const Operators all = joined();
  return all;
}

const Operator* find_operator(std::string_view name) {
  if (name == kUnfitBranch) return &unfit_operator();
  if (is_opaque(name)) return &opaque_operator();
  if (const Operator* control = control_operator(name)) return control;
  const Operators& all = all_operators();
  const auto found = std::lower_bound(
      all.begin(), all.end(), name,
      [](const Operator& op, std::string_view wanted) { return op.name < wanted; });
  return found != all.end() && found->name == name ? &*found : nullptr;
}

std::vector<std::string> operator_names() {
  std::vector<std::string> names;
  for (const Operator& op : all_operators()) names.emplace_back(op.name);
  return names;
}

}  // namespace opkit::reference
