#include "opkit/verify/problem/domain.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "opkit/contract/scope.h"
#include "opkit/verify/problem/least_elements.h"

namespace opkit::verify {
namespace {

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

// Tells whether what is known already makes an output's shape impossible: dims that do not
// broadcast.
bool has_no_shape(const OpContract& contract, const std::string& symbol, const Scope& scope) {
  const auto about = [&](const Expr::Name& name) { return name.name == symbol; };
  for (const Port& port : contract.outputs) {
    for (const Expr& item : port.shape.items) {
      if (item.type() != Expr::Type::kList || !item.bare_name().empty()) continue;
      if (std::none_of(item.names().begin(), item.names().end(), about)) continue;
      if (!item.evaluate_list(scope).ok()) return true;
    }
  }
  return false;
}

}  // namespace

// How long a search may take, and which dims it tries.
struct Domain::Effort {
  int steps;
  int64_t largest;  // bounds the candidates that constraints do not force
  bool ascending;   // the smallest candidate first
};

// Why no value of a symbol was good: whose values had a part in it.
struct Domain::Failure {
  SymbolSet reasons = 0;
  bool gave_up = false;
};

struct Domain::Search {
  const std::vector<Pin>& pins;
  const AttrValues& attrs;
  Draws& draws;
  Effort effort;
  SymbolValues values;
  Scope scope;  // open for what has no value yet
  int steps = 0;
};

Scope Domain::scope_for(const SymbolValues& start, const AttrValues& attrs) const {
  Scope scope = open_scope(contract_);
  scope.quiet = true;
  add_attrs(attrs, scope);
  for (const Port& port : contract_.inputs) {
    const bool absent = start.absent.count(port.name) > 0;
    if (port.presence == Presence::kOptional) scope.counts[port.name] = Range::of(absent ? 0 : 1);
  }
  return scope;
}

// Elements, and of calls with many symbols the products that these may mean: no tensor counts them.
bool Domain::costs_too_much(const Scope& scope) const {
  constexpr int64_t kProducts = 8;  // are allowed for each element of the budget
  if (least_elements(contract_, scope) > budget_) return true;
  return has_many_symbols() && least_products(contract_, scope) / kProducts > budget_;
}

bool Domain::has_many_symbols() const {
  constexpr size_t kMany = 5;
  return contract_.symbols.size() >= kMany;
}

// Limits dims: beside a pinned symbol of many the others stay small: what they cost together grows
// like a power.
int64_t Domain::largest_beside(const std::vector<Pin>& pins) const {
  constexpr int64_t kSmall = 24;
  return pins.empty() || !has_many_symbols() ? Range::kHighest : kSmall;
}

std::optional<SymbolValues> Domain::solve(const std::vector<Pin>& pins, const SymbolValues& start,
                                          const AttrValues& attrs, Draws& draws) const {
  const Effort efforts[] = {
      {300, largest_beside(pins), false}, {300, 16, false}, {600, Range::kHighest, true}};
  ++cost_.searches;
  const Scope scope = scope_for(start, attrs);
  if (rules_.any_broken(scope)) return std::nullopt;
  SymbolValues values = start;
  for (const Port& port : contract_.inputs) {
    if (port.presence != Presence::kDynamic || values.counts.count(port.name)) continue;
    const bool listed = std::any_of(port.shape.items.begin(), port.shape.items.end(),
                                    [](const Expr& item) { return item.is_per_tensor(); });
    if (!listed) values.counts[port.name] = draws.whole(1, 4);
  }
  for (const Effort& effort : efforts) {
    Search search{pins, attrs, draws, effort, values, scope};
    const auto failure = extend(search, 0);
    cost_.steps += search.steps;
    if (!failure) return search.values;
    if (!failure->gave_up) break;
  }
  return std::nullopt;
}

Domain::Cost Domain::cost() const {
  Cost cost = cost_;
  cost.evaluations = rules_.evaluated();
  return cost;
}

std::optional<Domain::Failure> Domain::extend(Search& search, size_t next) const {
  if (++search.steps > search.effort.steps) return Failure{0, true};
  if (next == contract_.symbols.size()) {
    if (accepts(search.values, search.attrs)) return std::nullopt;
    return Failure{~SymbolSet{0}};
  }
  if (contract_.symbols[next].kind == Symbol::Kind::kDim) return try_dims(search, next);
  return try_lists(search, next);
}

// Returns the symbols behind one that has got a value.
std::optional<Domain::Failure> Domain::go_on(Search& search, size_t next) const {
  if (const auto reasons = rules_.broken(next, search.scope)) return Failure{*reasons};
  if (has_no_shape(contract_, contract_.symbols[next].name, search.scope))
    return Failure{~SymbolSet{0}};
  if (costs_too_much(search.scope)) return Failure{~SymbolSet{0}};
  return extend(search, next + 1);
}

std::optional<Domain::Failure> Domain::try_dims(Search& search, size_t next) const {
  const std::string& name = contract_.symbols[next].name;
  const Range before = search.scope.numbers[name];
  Failure all{rules_.narrowed_by(next)};
  for (const int64_t candidate : dim_candidates(search, next)) {
    search.values.dims[name] = candidate;
    search.scope.numbers[name] = Range::of(candidate);
    const auto failure = go_on(search, next);
    if (!failure) return std::nullopt;
    all.reasons |= failure->reasons;
    all.gave_up = failure->gave_up;
    if (all.gave_up) break;
    if ((failure->reasons & set_of(next)) == 0) {
      all.reasons = failure->reasons;
      break;
    }
  }
  search.values.dims.erase(name);
  search.scope.numbers[name] = before;
  if (next < kLastSymbolBit) all.reasons &= ~set_of(next);
  return all;
}

std::vector<int64_t> Domain::dim_candidates(Search& search, size_t symbol) const {
  const Symbol& named = contract_.symbols[symbol];
  const Pin* pin = pin_of(search.pins, named.name);
  if (pin != nullptr && pin->dim) return {*pin->dim};
  Range range = rules_.narrowed(symbol, search.scope, named.bounds);
  range = range.meet({0, budget_});
  range.hi = std::min(range.hi, std::max(range.lo, search.effort.largest));
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
  for (const int64_t multiple : multiples(search, symbol, range)) candidates.push_back(multiple);
  shuffle(candidates, search.draws);
  candidates.push_back(least);
  candidates.push_back(std::min(range.hi, budget_));
  if (search.effort.ascending) std::sort(candidates.begin(), candidates.end());
  std::vector<int64_t> kept;
  for (const int64_t candidate : candidates) {
    if (!range.contains(candidate)) continue;
    if (std::find(kept.begin(), kept.end(), candidate) == kept.end()) kept.push_back(candidate);
  }
  return kept;
}

// Where the constraints leave few of all numbers: multiples of the symbol's own step over the whole
// range, and of the dims that it is compared with.
std::vector<int64_t> Domain::multiples(Search& search, size_t symbol, const Range& range) const {
  std::vector<int64_t> found;
  const ProblemRules::Steps& steps = rules_.steps(symbol);
  if (steps.step > 1) {
    const int64_t most = std::max<int64_t>(4096, 64 * steps.step);
    const int64_t last = (std::min(range.hi, most) - steps.first) / steps.step;
    for (int64_t k : {0, 1, 2, 3}) found.push_back(steps.first + k * steps.step);
    for (int i = 0; i < 8 && last > 0; ++i)
      found.push_back(steps.first + steps.step * (log_random(search.draws, 1, last + 1) - 1));
  }
  if (rules_.narrowed_by(symbol) == 0) return found;
  for (const auto& [name, value] : search.values.dims) {
    for (int64_t k : {1, 2, 3}) found.push_back(k * std::min(value, budget_));
  }
  return found;
}

std::vector<int64_t> Domain::list_candidate(Search& search, const Symbol& symbol,
                                            size_t rank) const {
  const Pin* pin = pin_of(search.pins, symbol.name);
  if (pin != nullptr && pin->dims) return *pin->dims;
  const Range range = symbol.bounds.meet({0, budget_});
  const int64_t least = std::max<int64_t>(range.lo, range.hi > 0 ? 1 : 0);
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
    dim = std::min(dim, search.effort.largest);
    dims.push_back(std::clamp(dim, least, std::max(least, std::min(range.hi, room))));
  }
  if (pin != nullptr && pin->dim && pin->every_dim) dims.assign(rank, *pin->dim);
  if (pin != nullptr && pin->dim && !pin->every_dim && rank > 0) dims.back() = *pin->dim;
  return dims;
}

std::optional<Domain::Failure> Domain::try_lists(Search& search, size_t next) const {
  constexpr int kAttempts = 24;
  const Symbol& symbol = contract_.symbols[next];
  const Pin* pin = pin_of(search.pins, symbol.name);
  auto [fewest, most] = ranks_in(symbol, search.scope);
  if (symbol.kind == Symbol::Kind::kPerTensor) fewest = std::max<size_t>(fewest, 1);
  Failure all{rules_.narrowed_by(next)};
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    const size_t usual = std::min(most, std::max<size_t>(fewest, attempt % 2 == 0 ? 3 : 5));
    size_t rank = static_cast<size_t>(
        search.draws.whole(static_cast<int64_t>(std::min(std::max<size_t>(fewest, 1), usual)),
                           static_cast<int64_t>(usual)));
    if (pin != nullptr && pin->rank) rank = *pin->rank;
    if (pin != nullptr && pin->dims) rank = pin->dims->size();
    if (pin != nullptr && pin->dim && rank == 0) rank = 1;
    const std::vector<int64_t> dims = list_candidate(search, symbol, rank);
    search.values.lists[symbol.name] = dims;
    search.scope.lists[symbol.name] = ListValue::of(dims);
    const auto failure = go_on(search, next);
    if (!failure) return std::nullopt;
    all.reasons |= failure->reasons;
    all.gave_up = failure->gave_up;
    if (all.gave_up || (failure->reasons & set_of(next)) == 0) break;
  }
  search.values.lists.erase(symbol.name);
  search.scope.lists[symbol.name] = ListValue{};
  if (next < kLastSymbolBit) all.reasons &= ~set_of(next);
  return all;
}

}  // namespace opkit::verify
