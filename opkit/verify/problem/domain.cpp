#include "opkit/verify/problem/domain.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "opkit/contract/scope.h"
#include "opkit/infer/infer.h"

namespace opkit::verify {
namespace {

constexpr size_t kMaxRank = 8;
constexpr int kMaxSteps = 4000;  // of one search
constexpr std::array<int64_t, 16> kCommonDims{1,  2,  3,  4,  7,  8,   13,  16,
                                              17, 31, 32, 33, 64, 100, 128, 255};

void shuffle(std::vector<int64_t>& values, Draws& draws) {
  for (size_t i = values.size(); i > 1; --i)
    std::swap(values[i - 1],
              values[static_cast<size_t>(draws.whole(0, static_cast<int64_t>(i) - 1))]);
}

int64_t log_random(Draws& draws, int64_t lo, int64_t hi) {
  const double bottom = std::log2(static_cast<double>(std::max<int64_t>(lo, 1)));
  const double top = std::log2(static_cast<double>(std::max<int64_t>(hi, 1)));
  const double value = std::exp2(bottom + (top - bottom) * draws.unit());
  return std::clamp(static_cast<int64_t>(value), lo, hi);
}

const Pin* pin_of(const std::vector<Pin>& pins, const std::string& symbol) {
  for (const Pin& pin : pins) {
    if (pin.symbol == symbol) return &pin;
  }
  return nullptr;
}

}  // namespace

struct Domain::Search {
  const std::vector<Pin>& pins;
  const AttrValues& attrs;
  Draws& draws;
  SymbolValues values;
  Scope scope;  // open for what has no value yet
  int steps = 0;
};

std::optional<SymbolValues> Domain::solve(const std::vector<Pin>& pins, const SymbolValues& start,
                                          const AttrValues& attrs, Draws& draws) const {
  Scope scope = open_scope(contract_);
  add_attrs(attrs, scope);
  for (const Port& port : contract_.inputs) {
    const bool absent = start.absent.count(port.name) > 0;
    if (port.presence == Presence::kOptional) scope.counts[port.name] = Range::of(absent ? 0 : 1);
  }
  Search search{pins, attrs, draws, start, std::move(scope)};
  for (const Port& port : contract_.inputs) {
    if (port.presence != Presence::kDynamic || search.values.counts.count(port.name)) continue;
    const bool listed = std::any_of(port.shape.items.begin(), port.shape.items.end(),
                                    [](const Expr& item) { return item.is_per_tensor(); });
    if (!listed) search.values.counts[port.name] = draws.whole(1, 4);
  }
  if (!extend(search, 0)) return std::nullopt;
  return search.values;
}

bool Domain::extend(Search& search, size_t next) const {
  if (++search.steps > kMaxSteps) return false;
  if (next == contract_.symbols.size()) return accepts(search.values, search.attrs);
  const Symbol& symbol = contract_.symbols[next];
  if (symbol.kind != Symbol::Kind::kDim) return try_list(search, symbol, next);
  const Range before = search.scope.numbers[symbol.name];
  for (const int64_t candidate : dim_candidates(search, symbol)) {
    search.values.dims[symbol.name] = candidate;
    search.scope.numbers[symbol.name] = Range::of(candidate);
    if (consistent(search) && extend(search, next + 1)) return true;
  }
  search.values.dims.erase(symbol.name);
  search.scope.numbers[symbol.name] = before;
  return false;
}

// What comparisons with other symbols leave for this one.
Range Domain::narrowed(const Search& search, const std::string& symbol, Range range) const {
  for (const Constraint& constraint : contract_.where) {
    for (const Expr& part : constraint.rule.conjuncts()) {
      std::string name;
      const Range limit = part.limit(search.scope, name);
      if (name == symbol) range = range.meet(limit);
    }
  }
  return range;
}

std::vector<int64_t> Domain::dim_candidates(Search& search, const Symbol& symbol) const {
  const Pin* pin = pin_of(search.pins, symbol.name);
  if (pin != nullptr && pin->dim) return {*pin->dim};
  Range range = narrowed(search, symbol.name, symbol.bounds);
  range = range.meet({0, budget_});
  if (range.is_empty()) return {};
  std::vector<int64_t> candidates;
  for (const int64_t common : kCommonDims) {
    if (range.contains(common)) candidates.push_back(common);
  }
  // A zero-size dim is asked for with a pin; by itself it would empty most problems.
  const int64_t least = std::max<int64_t>(range.lo, range.hi > 0 ? 1 : 0);
  for (int i = 0; i < 8; ++i)
    candidates.push_back(log_random(search.draws, least, std::min<int64_t>(range.hi, 4096)));
  for (const int64_t step : {16, 32, 64, 128, 256}) {
    const int64_t multiple = (least + step - 1) / step * step;
    if (range.contains(multiple)) candidates.push_back(multiple);
  }
  shuffle(candidates, search.draws);
  candidates.push_back(least);
  candidates.push_back(std::min(range.hi, budget_));
  std::vector<int64_t> kept;
  for (const int64_t candidate : candidates) {
    if (!range.contains(candidate)) continue;
    if (std::find(kept.begin(), kept.end(), candidate) == kept.end()) kept.push_back(candidate);
  }
  return kept;
}

std::pair<size_t, size_t> Domain::ranks(const Symbol& symbol, const AttrValues& attrs) const {
  Scope scope = open_scope(contract_);
  add_attrs(attrs, scope);
  std::pair<size_t, size_t> found{kMaxRank + 1, 0};
  for (size_t rank = 0; rank <= kMaxRank; ++rank) {
    ListValue list;
    list.known_length = true;
    list.items.assign(rank, symbol.bounds);
    scope.lists[symbol.name] = list;
    bool possible = true;
    for (const Constraint& constraint : contract_.where) {
      const auto truth = constraint.rule.evaluate(scope);
      possible = possible && !(truth.ok() && truth->is_false());
    }
    if (!possible) continue;
    found.first = std::min(found.first, rank);
    found.second = std::max(found.second, rank);
  }
  if (found.first > found.second) found.first = found.second;
  return found;
}

bool Domain::try_list(Search& search, const Symbol& symbol, size_t next) const {
  const Pin* pin = pin_of(search.pins, symbol.name);
  const bool per_tensor = symbol.kind == Symbol::Kind::kPerTensor;
  auto [fewest, most] = ranks(symbol, search.attrs);
  if (per_tensor) fewest = std::max<size_t>(fewest, 1);
  const Range range = symbol.bounds.meet({0, budget_});
  const int64_t least = std::max<int64_t>(range.lo, range.hi > 0 ? 1 : 0);
  for (int attempt = 0; attempt < 24; ++attempt) {
    const size_t usual = std::min(most, std::max<size_t>(fewest, attempt % 2 == 0 ? 3 : 5));
    size_t rank = static_cast<size_t>(
        search.draws.whole(static_cast<int64_t>(std::min(std::max<size_t>(fewest, 1), usual)),
                           static_cast<int64_t>(usual)));
    if (pin != nullptr && pin->rank) rank = *pin->rank;
    if (pin != nullptr && pin->dim && rank == 0) rank = 1;
    const double share = 1.0 / static_cast<double>(std::max<size_t>(rank, 1));
    const auto room = static_cast<int64_t>(std::pow(static_cast<double>(budget_) / 4, share));
    std::vector<int64_t> dims;
    for (size_t d = 0; d < rank; ++d) {
      const bool common = search.draws.chance(0.5);
      const int64_t top = std::clamp(std::min(room, range.hi), least, std::max(least, room));
      int64_t dim =
          common ? kCommonDims[static_cast<size_t>(search.draws.whole(0, kCommonDims.size() - 1))]
                 : log_random(search.draws, least, top);
      // Behind a pinned dim the others stay small.
      if (pin != nullptr && pin->dim) dim = search.draws.whole(1, 3);
      dims.push_back(std::clamp(dim, least, std::max(least, std::min(range.hi, room))));
    }
    if (pin != nullptr && pin->dim && pin->every_dim) dims.assign(rank, *pin->dim);
    if (pin != nullptr && pin->dim && !pin->every_dim && rank > 0) dims.back() = *pin->dim;
    search.values.lists[symbol.name] = dims;
    search.scope.lists[symbol.name] = ListValue::of(dims);
    if (consistent(search) && extend(search, next + 1)) return true;
  }
  search.values.lists.erase(symbol.name);
  search.scope.lists[symbol.name] = ListValue{};
  return false;
}

bool Domain::consistent(const Search& search) const {
  for (const Constraint& constraint : contract_.where) {
    const auto truth = constraint.rule.evaluate(search.scope);
    if (!truth.ok() || truth->is_false()) return false;
  }
  return true;
}

bool Domain::possible(const AttrValues& attrs) const {
  Scope scope = open_scope(contract_);
  add_attrs(attrs, scope);
  return std::none_of(contract_.where.begin(), contract_.where.end(), [&](const Constraint& one) {
    const auto truth = one.rule.evaluate(scope);
    return truth.ok() && truth->is_false();
  });
}

std::optional<int64_t> Domain::elements(const SymbolValues& values, const AttrValues& attrs) const {
  const auto shapes = shapes_from_symbols(contract_, values, attrs);
  if (!shapes.ok()) return std::nullopt;
  int64_t total = 0;
  for (const auto* side : {&shapes->inputs, &shapes->outputs}) {
    for (const std::vector<Shape>& port : *side) {
      for (const Shape& shape : port) {
        if (!shape.has_rank() || !shape.is_static()) continue;
        const auto count = shape.checked_elements();
        if (!count.ok()) return std::nullopt;
        total += std::min(*count, int64_t{1} << 50);
      }
    }
  }
  return total;
}

bool Domain::accepts(const SymbolValues& values, const AttrValues& attrs) const {
  if (!check_constraints(contract_, scope_of(contract_, values, attrs)).ok()) return false;
  const auto total = elements(values, attrs);
  return total && *total <= budget_;
}

}  // namespace opkit::verify
