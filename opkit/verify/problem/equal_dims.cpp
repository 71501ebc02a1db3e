#include "opkit/verify/problem/equal_dims.h"

#include <fmt/format.h>

#include <algorithm>

namespace opkit::verify {
namespace {

constexpr int64_t kSizes[] = {24, 40, 16, 33, 64, 8, 128, 5, 3, 2};
constexpr size_t kTriesEach = 4;
constexpr int kMostSearches = 400;
constexpr size_t kFewDims = 4;  // more: all of them equal at once stand for the pairs

// How one list may lie against another one.
const std::vector<std::pair<std::vector<int64_t>, std::vector<int64_t>>>& list_forms() {
  static const std::vector<std::pair<std::vector<int64_t>, std::vector<int64_t>>> kForms{
      {{0, 0}, {0}},    {{0}, {0, 0}},    {{0, 0}, {0, 1}}, {{0, 1}, {0, 0}}, {{0, 0}, {1, 0}},
      {{1, 0}, {0, 0}}, {{0, 0}, {0, 0}}, {{0, 1}, {1, 0}}, {{1, 0}, {0, 1}}};
  return kForms;
}

}  // namespace

std::vector<std::string> collapsible_dims(const OpContract& contract) {
  std::vector<std::string> names;
  for (const Port& port : contract.inputs) {
    for (size_t axis = 0; axis < port.shape.items.size(); ++axis) {
      if (port.shape.items[axis].is_collapsible())
        names.push_back(fmt::format("{}:{}", port.name, axis));
    }
  }
  return names;
}

EqualDims::EqualDims(const OpContract& contract)
    : contract_(contract), searches_left_(kMostSearches) {
  for (const Symbol& symbol : contract.symbols) {
    if (symbol.kind == Symbol::Kind::kDim) dims_.push_back(symbol.name);
    if (symbol.kind == Symbol::Kind::kList) lists_.push_back(symbol.name);
  }
  tie_dims({}, false);
  tie_lists(false);
  const std::vector<std::string> may_collapse = collapsible_dims(contract);
  for (const std::string& name : may_collapse) tie_dims({name}, false);
  if (may_collapse.size() > 1) tie_dims({may_collapse.begin(), may_collapse.end()}, false);
  tie_dims({}, true);
  tie_lists(true);
}

void EqualDims::tie_dims(const std::set<std::string>& collapsed, bool ones) {
  if (dims_.size() < 2) return;
  ties_.push_back({dims_, {}, collapsed, ones});
  for (size_t a = 0; a < dims_.size() && dims_.size() > 2 && dims_.size() <= kFewDims; ++a) {
    for (size_t b = a + 1; b < dims_.size(); ++b)
      ties_.push_back({{dims_[a], dims_[b]}, {}, collapsed, ones});
  }
}

// Ties a list of equal dims, alone and beside dims of that size, then two lists to each other.
void EqualDims::tie_lists(bool ones) {
  for (const std::string& list : lists_) {
    if (!dims_.empty()) ties_.push_back({dims_, {{list, {0}}}, {}, ones});
    if (!dims_.empty() || lists_.size() == 1) ties_.push_back({dims_, {{list, {0, 0}}}, {}, ones});
  }
  for (size_t a = 0; a < lists_.size(); ++a) {
    for (size_t b = a + 1; b < lists_.size(); ++b) {
      for (const auto& [one, other] : list_forms()) {
        ties_.push_back({dims_, {{lists_[a], one}, {lists_[b], other}}, {}, ones});
        if (ones) break;
      }
    }
  }
}

std::optional<SymbolValues> EqualDims::next(const Domain& domain, const AttrValues& attrs,
                                            Draws& draws) {
  while (next_ < ties_.size()) {
    const Tie& tie = ties_[next_++];
    if (auto values = solved(tie, domain, attrs, draws)) return values;
  }
  return std::nullopt;
}

std::optional<SymbolValues> EqualDims::any(const Domain& domain, const AttrValues& attrs,
                                           Draws& draws) const {
  if (ties_.empty()) return std::nullopt;
  return solved(draws.pick(ties_), domain, attrs, draws);
}

// Returns the nearest size that each dim alone may have.
int64_t EqualDims::fitting(const Tie& tie, int64_t size, const Domain& domain) const {
  for (const std::string& name : tie.dims) {
    for (size_t i = 0; i < contract_.symbols.size(); ++i) {
      if (contract_.symbols[i].name == name) size = domain.steps(i).at_least(size);
    }
  }
  return size;
}

std::optional<SymbolValues> EqualDims::solved(const Tie& tie, const Domain& domain,
                                              const AttrValues& attrs, Draws& draws) const {
  const auto start = static_cast<size_t>(draws.whole(0, kTriesEach - 1));
  std::set<int64_t> tried;
  for (size_t i = 0; i < std::size(kSizes) && tried.size() < kTriesEach; ++i) {
    const int64_t asked = tie.ones ? 1 : kSizes[(start + i) % std::size(kSizes)];
    const int64_t size = tie.ones ? 1 : fitting(tie, asked, domain);
    if (!tried.insert(size).second) continue;
    if (searches_left_ <= 0) return std::nullopt;
    std::vector<Pin> pins;
    for (const std::string& name : tie.dims) pins.push_back({name, size, std::nullopt, false});
    for (const auto& [name, form] : tie.lists) {
      Pin pin{name, std::nullopt, std::nullopt, false, form};
      for (int64_t& dim : *pin.dims) dim = dim == 0 ? size : dim;
      pins.push_back(std::move(pin));
    }
    SymbolValues values;
    values.collapsed = tie.collapsed;
    if (auto found = domain.solve(pins, values, attrs, draws)) return found;
    --searches_left_;
  }
  return std::nullopt;
}

}  // namespace opkit::verify
