#include "opkit/verify/strategy_problems.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>

#include "opkit/verify/problem/domain.h"
#include "opkit/verify/problem/least_elements.h"
#include "opkit/verify/problem/reference_size.h"
#include "opkit/verify/problem_inputs.h"
#include "opkit/verify/shrink.h"

namespace opkit::verify {
namespace {

// Problems beside changes of strategy that run on data, and widest ones.
size_t most_changes(Tier tier) { return tier == Tier::kSmoke ? 16 : 64; }
size_t most_wide(Tier tier) { return tier == Tier::kSmoke ? 4 : 16; }

// Elements of all tensors of a widest one; a smoke test runs it under Checked, too.
int64_t wide_budget(Tier tier) { return (tier == Tier::kSmoke ? 1 : 2) * element_budget(tier); }
constexpr int64_t kWideReference = int64_t{4} << 20;  // values of its reference

// Returns a dim of one symbol: the one of a dim symbol, or the last of a list.
int64_t* dim_of(Problem& problem, const Symbol& symbol) {
  if (symbol.kind == Symbol::Kind::kPerTensor) return nullptr;
  if (symbol.kind == Symbol::Kind::kDim) {
    const auto dim = problem.symbols.dims.find(symbol.name);
    return dim == problem.symbols.dims.end() ? nullptr : &dim->second;
  }
  const auto list = problem.symbols.lists.find(symbol.name);
  if (list == problem.symbols.lists.end() || list->second.empty()) return nullptr;
  return &list->second.back();
}

class StrategyProblems {
 public:
  explicit StrategyProblems(const StrategyRequest& request)
      : request_(request),
        contract_(*request.contract),
        for_changes_(contract_, 2 * element_budget(request.tier)),
        for_wide_(contract_, wide_budget(request.tier)),
        lines_(request.known) {}

  std::vector<PlannedProblem> run() {
    for (const auto& [key, found] : request_.proof->keys) {
      if (stopped()) return std::move(problems_);
      const Problem smallest = smallest_of(key, found);
      if (request_.reached.count(key) == 0) add(smallest, fmt::format("tiling key {}", key));
      smallest_.emplace_back(key, smallest);
    }
    const size_t before = problems_.size();
    for (const Problem& side : request_.proof->changes) {
      if (stopped() || problems_.size() - before >= most_changes(request_.tier)) break;
      add_side(side);
    }
    add_widest();
    return std::move(problems_);
  }

 private:
  bool stopped() const { return unanswered_ || request_.stopped(); }

  void add(Problem problem, std::string origin) {
    if (lines_.insert(to_line(contract_, problem)).second)
      problems_.push_back({std::move(problem), std::move(origin)});
  }

  std::optional<uint64_t> key_of(const Problem& problem) {
    if (stopped() || !not_on_chip(contract_, problem).empty()) return std::nullopt;
    const auto call = make_facts(contract_, problem);
    if (!call.ok()) return std::nullopt;
    request_.asked(problem);
    const auto plan = request_.executor->plan(contract_, problem.soc, call->facts);
    unanswered_ = !plan.ok() && plan.error().is(Cause::kTooSlow);
    if (!plan.ok()) return std::nullopt;
    return (*plan)->tiling.key;
  }

  Problem smallest_of(uint64_t key, const Problem& found) {
    return shrink(contract_, found,
                  [&](const Problem& candidate) { return key_of(candidate) == key; })
        .problem;
  }

  // The dims that do not make the change become as small as its key allows, the smallest first.
  void add_side(Problem side) {
    side.data = DataClass::kExactInteger;
    if (!for_changes_.accepts(side.symbols, side.attrs) && !narrow(side)) return;
    add(std::move(side), "change of strategy");
  }

  bool narrow(Problem& side) {
    const auto key = key_of(side);
    std::vector<std::pair<int64_t, const Symbol*>> dims;
    for (const Symbol& symbol : contract_.symbols) {
      if (const int64_t* dim = dim_of(side, symbol); dim && *dim > 1)
        dims.emplace_back(*dim, &symbol);
    }
    std::stable_sort(dims.begin(), dims.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    for (size_t i = 0; key && i + 1 < dims.size(); ++i) {
      Problem candidate = side;
      *dim_of(candidate, *dims[i].second) = std::max<int64_t>(dims[i].second->bounds.lo, 1);
      if (key_of(candidate) != key) continue;
      side = std::move(candidate);
      if (for_changes_.accepts(side.symbols, side.attrs)) return true;
    }
    return false;
  }

  // The keys in turn, so that a budget has something of each.
  void add_widest() {
    const size_t before = problems_.size();
    for (const Symbol& symbol : contract_.symbols) {
      for (const auto& [key, smallest] : smallest_) {
        if (stopped() || problems_.size() - before >= most_wide(request_.tier)) return;
        auto wide = widest(smallest, symbol, key);
        if (wide)
          add(std::move(*wide), fmt::format("widest {} of tiling key {}", symbol.name, key));
      }
    }
  }

  // Values as far apart as data are, so that a part that is left out shows in a maximum, too.
  std::optional<Problem> widest(Problem problem, const Symbol& symbol, uint64_t key) {
    const int64_t* const dim = dim_of(problem, symbol);
    if (dim == nullptr || *dim < 1) return std::nullopt;
    const int64_t least = *dim;
    problem.data = DataClass::kUniform;
    const auto grows_to = [&](int64_t size) {
      Problem candidate = problem;
      *dim_of(candidate, symbol) = size;
      if (!is_small_enough(candidate) || key_of(candidate) != key) return false;
      problem = std::move(candidate);
      return true;
    };
    const int64_t most = std::min(symbol.bounds.hi, for_wide_.budget());
    if (most > least && grows_to(most)) return problem;
    while (*dim_of(problem, symbol) <= most / 2 && grows_to(2 * *dim_of(problem, symbol))) {
    }
    for (int64_t step = *dim_of(problem, symbol) / 2; step > 0; step /= 2) {
      const int64_t size = *dim_of(problem, symbol) + step;
      if (size <= most) grows_to(size);
    }
    if (*dim_of(problem, symbol) == least) return std::nullopt;
    return problem;
  }

  bool is_small_enough(const Problem& problem) const {
    return for_wide_.accepts(problem.symbols, problem.attrs) &&
           stored_elements(contract_, problem).value_or(kManyElements) <= for_wide_.budget() &&
           reference_elements(contract_, problem).value_or(kManyElements) <= kWideReference;
  }

  const StrategyRequest& request_;
  const OpContract& contract_;
  const Domain for_changes_, for_wide_;
  std::vector<std::pair<uint64_t, Problem>> smallest_;  // holds the smallest problem of each key
  std::vector<PlannedProblem> problems_;
  std::set<std::string> lines_;
  bool unanswered_ = false;  // the tiling function does not answer
};

}  // namespace

std::vector<PlannedProblem> problems_of_strategies(const StrategyRequest& request) {
  return StrategyProblems(request).run();
}

}  // namespace opkit::verify
