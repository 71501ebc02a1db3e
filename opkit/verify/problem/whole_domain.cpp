#include "opkit/verify/problem/whole_domain.h"

#include <algorithm>
#include <limits>

#include "opkit/verify/problem/domain.h"

namespace opkit::verify {
namespace {

bool of_fixed_form(const Port& port) {
  return port.presence == Presence::kRequired && !port.value_depend &&
         std::none_of(port.shape.items.begin(), port.shape.items.end(),
                      [](const Expr& item) { return item.is_collapsible(); });
}

// Returns every value of the attribute, if they are listed.
std::vector<AttrValue> values_of(const Attr& attr) {
  if (attr.type == AttrType::kBool) return {false, true};
  if (is_list(attr.type)) return {};
  return attr.allowed;
}

class Enumeration {
 public:
  Enumeration(const OpContract& contract, size_t most)
      : contract_(contract),
        domain_(contract, std::numeric_limits<int64_t>::max() / 4),
        most_(most) {}

  std::optional<std::vector<Problem>> run() {
    if (!std::all_of(contract_.inputs.begin(), contract_.inputs.end(), of_fixed_form))
      return std::nullopt;
    std::vector<Problem> all(1);
    for (const Attr& attr : contract_.attrs) {
      const std::vector<AttrValue> values = values_of(attr);
      const bool fits = multiply(all, values.size(), [&](Problem& problem, size_t i) {
        problem.attrs[attr.name] = values[i];
      });
      if (!fits) return std::nullopt;
    }
    for (const Symbol& symbol : contract_.symbols) {
      const Range& bounds = symbol.bounds;
      const bool few = symbol.kind == Symbol::Kind::kDim && bounds.hi >= bounds.lo &&
                       static_cast<uint64_t>(bounds.hi) - static_cast<uint64_t>(bounds.lo) < most_;
      if (!few) return std::nullopt;
      const auto count = static_cast<size_t>(bounds.hi - bounds.lo + 1);
      const bool fits = multiply(all, count, [&](Problem& problem, size_t i) {
        problem.symbols.dims[symbol.name] = bounds.lo + static_cast<int64_t>(i);
      });
      if (!fits) return std::nullopt;
    }
    std::erase_if(all,
                  [&](const Problem& one) { return !domain_.accepts(one.symbols, one.attrs); });
    return all;
  }

 private:
  template <typename Set>
  bool multiply(std::vector<Problem>& all, size_t count, Set set) const {
    if (count == 0 || all.size() * count > most_) return false;
    std::vector<Problem> more;
    for (const Problem& one : all) {
      for (size_t i = 0; i < count; ++i) set(more.emplace_back(one), i);
    }
    all = std::move(more);
    return true;
  }

  const OpContract& contract_;
  Domain domain_;
  size_t most_;
};

}  // namespace

std::optional<std::vector<Problem>> whole_domain(const OpContract& contract, size_t most) {
  return Enumeration(contract, most).run();
}

}  // namespace opkit::verify
