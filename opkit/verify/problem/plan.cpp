#include "opkit/verify/problem/plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "opkit/verify/neutral_defaults.h"
#include "opkit/verify/problem/attr_values.h"
#include "opkit/verify/problem/corner_sizes.h"
#include "opkit/verify/problem/domain.h"
#include "opkit/verify/problem/growing_plan.h"
#include "opkit/verify/problem/least_elements.h"
#include "opkit/verify/problem/legal_attrs.h"
#include "opkit/verify/problem/reference_size.h"
#include "opkit/verify/problem/roomy_symbols.h"
#include "opkit/verify/problem/variants.h"

namespace opkit::verify {
namespace {

// One problem of so many keeps the defaults that do nothing.
constexpr size_t kNeutralShare = 8;

// More elements than usual, where the third multiple or the upper corner needs them.
constexpr int64_t kWide = 4;

// Equal dims that no other problem had room for.
constexpr int kMoreEqual = 8;

// One tier's part of a plan: what the tiers before it have not.
class Planner {
 public:
  Planner(const PlanRequest& request, Tier stage, GrowingPlan& plan)
      : request_(request),
        stage_(stage),
        contract_(*request.contract),
        domain_(contract_, element_budget(stage)),
        wide_(contract_, kWide * element_budget(stage)),
        draws_(request.seed, 17 + static_cast<uint64_t>(stage)),
        defaults_(usual_attrs(domain_, draws_)),
        telling_(telling_attrs(domain_, defaults_, draws_)),
        plan_(plan) {
    for (size_t column = 0; column < contract_.column_count(); ++column) {
      if (!request.column || *request.column == column) columns_.push_back(column);
    }
  }

  void run() {
    for (const size_t column : columns_) {
      column_ = column;
      if (stage_ == Tier::kSmoke) add_cases();
      add_corners();
      if (stage_ == Tier::kSmoke) {
        add_variants();
        add_attr_classes();
      }
      add_data_classes();
      if (stage_ == Tier::kSmoke) add_socs();
    }
    column_ = columns_.front();
    add_equal();
    for (const size_t column : columns_) {
      column_ = column;
      add_random();
    }
  }

 private:
  void add(Problem problem, std::string origin) {
    if (plan_.lines.insert(to_line(contract_, problem)).second)
      plan_.problems.push_back({std::move(problem), std::move(origin)});
  }

  // The defaults, seldom when they do nothing.
  const AttrValues& usual() {
    if (telling_.empty() || ++turn_ % kNeutralShare == 0) return defaults_;
    return telling_[turn_ % telling_.size()];
  }

  Problem base(SymbolValues symbols, const AttrValues& attrs) {
    Problem problem;
    problem.soc = request_.socs.front();
    problem.column = column_;
    problem.symbols = std::move(symbols);
    problem.attrs = attrs;
    problem.seed = request_.seed;
    return problem;
  }

  void add_cases() {
    for (size_t i = 0; i < contract_.tests.size(); ++i) {
      const Case& one = contract_.tests[i];
      const auto attrs = contract_.complete(one.attrs);
      if (!attrs.ok()) continue;
      for (const DataClass data : {DataClass::kExactInteger, DataClass::kUniform}) {
        Problem problem = base(one.symbols, *attrs);
        problem.data = data;
        add(std::move(problem), fmt::format("case {} of the contract", i + 1));
      }
    }
  }

  void add_pinned(const std::vector<Pin>& pins, const std::string& origin, DataClass data,
                  bool wide = false) {
    const std::string corner = fmt::format("{} {}", column_, origin);
    if (plan_.corners.count(corner) > 0) return;
    const AttrValues& attrs = usual();
    auto symbols = domain_.solve(pins, {}, attrs, draws_);
    const bool widened = !symbols && wide;
    if (widened) symbols = wide_.solve(pins, {}, attrs, draws_);
    if (!symbols) return;
    Problem problem = base(*symbols, attrs);
    // A smoke test has no time for what is evaluated in parts.
    if (widened && !is_affordable(contract_, problem, stage_ != Tier::kSmoke)) return;
    problem.data = data;
    plan_.corners.insert(corner);
    add(std::move(problem), origin);
  }

  void add_corners() {
    for (size_t s = 0; s < contract_.symbols.size(); ++s) {
      const Symbol& symbol = contract_.symbols[s];
      const CornerSizes corners =
          corner_sizes(domain_, s, column_, request_.socs.front(), request_.landmarks);
      for (size_t i = 0; i < corners.sizes.size(); ++i) {
        const int64_t size = corners.sizes[i];
        if (left_to_others(i)) continue;
        Pin pin{symbol.name, size, std::nullopt, false};
        if (symbol.kind != Symbol::Kind::kDim) pin.rank = 1;
        add_pinned({pin}, corner_origin(symbol, size), DataClass::kExactInteger,
                   corners.wide.count(size) > 0);
      }
      if (corners.wide.count(domain_.largest(s)) > 0) add_upper_end(symbol, s);
      if (symbol.kind != Symbol::Kind::kDim) add_rank_corners(symbol);
    }
  }

  static std::string corner_origin(const Symbol& symbol, int64_t size) {
    return fmt::format("corner {}={}", symbol.name, size);
  }

  // Where the last size of a dim is too large for the tier, half of it, or half of that.
  void add_upper_end(const Symbol& symbol, size_t place) {
    for (const int64_t size : halved_ends(domain_, place)) {
      const std::string origin = corner_origin(symbol, size);
      if (plan_.corners.count(fmt::format("{} {}", column_, origin)) > 0) return;
      add_pinned({{symbol.name, size, std::nullopt, false}}, origin, DataClass::kExactInteger,
                 true);
    }
  }

  // A smoke test's columns behind the first share the corners of many symbols among them.
  bool left_to_others(size_t place) const {
    return stage_ == Tier::kSmoke && domain_.has_many_symbols() && column_ > 0 &&
           place % 2 != column_ % 2 && columns_.size() > 1;
  }

  void add_rank_corners(const Symbol& symbol) {
    const auto [fewest, most] = domain_.ranks(symbol, defaults_);
    for (size_t rank = fewest; rank <= most; ++rank) {
      const std::string origin = fmt::format("rank {} of {}", rank, symbol.name);
      add_pinned({{symbol.name, std::nullopt, rank, false}}, origin, DataClass::kSorted);
      if (rank > 0)
        add_pinned({{symbol.name, 1, rank, true}}, origin + ", all 1", DataClass::kExactInteger);
    }
  }

  // Every optional input left out, alone and together; every broadcast dim collapsed.
  void add_variants() {
    for (const SymbolValues& start : variants_of(contract_)) {
      for (const DataClass data :
           {DataClass::kUniform, DataClass::kExactInteger, DataClass::kOneHot}) {
        const AttrValues& attrs = usual();
        const auto symbols = domain_.solve({}, start, attrs, draws_);
        if (!symbols) continue;
        Problem problem = base(*symbols, attrs);
        problem.data = data;
        add(std::move(problem), "optional inputs and broadcasts");
      }
    }
  }

  void add_attr_classes() {
    for (const Attr& attr : contract_.attrs) {
      for (const AttrChoice& choice : attr_choices(attr)) {
        const auto found = attrs_with(attr.name, choice.value);
        if (!found) continue;
        const AttrValues& attrs = *found;
        for (const DataClass data : {DataClass::kUniform, DataClass::kExactInteger}) {
          const auto symbols = tied_or_free(data, attrs);
          if (!symbols) continue;
          Problem problem = base(*symbols, attrs);
          problem.data = data;
          add(std::move(problem), fmt::format("attr {} {}", attr.name, choice.label));
        }
      }
    }
  }

  // The usual attributes with this one; where that leaves no legal call, others that do.
  std::optional<AttrValues> attrs_with(const std::string& name, const AttrValue& value) {
    AttrValues attrs = usual();
    attrs[name] = value;
    if (!domain_.possible({{name, value}})) return std::nullopt;
    if (domain_.possible(attrs) && domain_.solve({}, {}, attrs, draws_)) return attrs;
    return legal_attrs(domain_, {{name, value}}, draws_);
  }

  void add_data_classes() {
    for (const DataClass data : all_data_classes()) {
      const AttrValues& attrs = usual();
      const auto symbols = data == DataClass::kSpecial ? roomy_symbols(domain_, attrs, draws_)
                                                       : tied_or_free(data, attrs);
      if (!symbols) continue;
      Problem problem = base(*symbols, attrs);
      problem.data = data;
      problem.threads = 2;
      add(std::move(problem), fmt::format("data class {}", name_of(data)));
    }
  }

  // Draws dims that are equal, as long as there are such and the data show elements out of place.
  std::optional<SymbolValues> tied_or_free(DataClass data, const AttrValues& attrs) {
    const bool shows = data == DataClass::kUniform || data == DataClass::kNormal ||
                       data == DataClass::kLogUniform || data == DataClass::kSorted ||
                       data == DataClass::kCancellation;
    if (shows && stage_ == Tier::kSmoke) {
      if (auto tied = plan_.equal.next(domain_, attrs, draws_)) return tied;
    }
    return domain_.solve({}, {}, attrs, draws_);
  }

  // What is left of the equal dims: few in a smoke test, all in the next tier.
  void add_equal() {
    for (int i = 0; stage_ != Tier::kSmoke || i < kMoreEqual; ++i) {
      const AttrValues& attrs = usual();
      const auto symbols = plan_.equal.next(domain_, attrs, draws_);
      if (!symbols) return;
      add(base(*symbols, attrs), "equal dims");
    }
  }

  void add_socs() {
    for (const std::string& soc : request_.socs) {
      const AttrValues& attrs = usual();
      const auto symbols = tied_or_free(DataClass::kUniform, attrs);
      if (!symbols) continue;
      Problem problem = base(*symbols, attrs);
      problem.soc = soc;
      problem.data = DataClass::kUniform;
      add(std::move(problem), "every chip");
    }
  }

  void add_random() {
    const int64_t wanted = random_wanted();
    int64_t made = 0;
    for (int64_t tries = 0; made < wanted && tries < 4 * wanted; ++tries) {
      const size_t before = plan_.problems.size();
      if (auto problem = random_problem()) add(std::move(*problem), "random");
      made += static_cast<int64_t>(plan_.problems.size() - before);
    }
  }

  // The stages together make as many as the tier, or the caller, says.
  int64_t random_wanted() const {
    const auto up_to = [&](Tier tier) {
      const int64_t usual = random_count(tier);
      if (request_.random_problems < 0) return usual;
      return tier == request_.tier ? request_.random_problems
                                   : std::min(usual, request_.random_problems);
    };
    const int64_t before =
        stage_ == Tier::kSmoke ? 0 : up_to(static_cast<Tier>(static_cast<int>(stage_) - 1));
    return std::max<int64_t>(up_to(stage_) - before, 0);
  }

  bool does_nothing(const Attr& attr, const AttrValues& attrs) const {
    const AttrValue& plain = defaults_.at(attr.name);
    return !telling_.empty() && telling_.front().at(attr.name) != plain &&
           attrs.at(attr.name) == plain;
  }

  // Gives the attribute another value, unless none is found that the constraints leave beside the
  // others.
  void vary(const Attr& attr, AttrValues& attrs) {
    for (int attempt = 0; attempt < 8; ++attempt) {
      AttrValues changed = attrs;
      changed[attr.name] = random_attr(attr, draws_);
      if (does_nothing(attr, changed) && !draws_.chance(1.0 / kNeutralShare)) continue;
      if (!domain_.possible(changed)) continue;
      attrs = std::move(changed);
      return;
    }
  }

  std::optional<Problem> random_problem() {
    AttrValues attrs = usual();
    for (const Attr& attr : contract_.attrs) {
      if (draws_.chance(0.7)) vary(attr, attrs);
    }
    SymbolValues start;
    for (const Port& port : contract_.inputs) {
      if (port.presence == Presence::kOptional && draws_.chance(0.4))
        start.absent.insert(port.name);
    }
    for (const std::string& name : collapsible_dims(contract_)) {
      if (draws_.chance(0.3)) start.collapsed.insert(name);
    }
    std::optional<SymbolValues> symbols;
    if (draws_.chance(0.1)) symbols = plan_.equal.any(domain_, attrs, draws_);
    if (!symbols) symbols = domain_.solve({}, start, attrs, draws_);
    if (!symbols) return std::nullopt;
    Problem problem = base(*symbols, attrs);
    problem.data = draws_.pick(all_data_classes());
    problem.soc = draws_.pick(request_.socs);
    problem.threads = static_cast<unsigned>(draws_.whole(1, 2));
    problem.seed = draws_.bits() % 1000000;
    return problem;
  }

  const PlanRequest& request_;
  Tier stage_;
  const OpContract& contract_;
  Domain domain_, wide_;
  Draws draws_;
  AttrValues defaults_;
  std::vector<AttrValues> telling_;  // stand in place of defaults that do nothing
  size_t turn_ = 0;
  std::vector<size_t> columns_;
  size_t column_ = 0;
  GrowingPlan& plan_;
};

}  // namespace

std::vector<PlannedProblem> make_plan(const PlanRequest& request) {
  GrowingPlan plan(*request.contract);
  for (const Tier stage : {Tier::kSmoke, Tier::kCi, Tier::kNightly}) {
    if (stage <= request.tier) Planner(request, stage, plan).run();
  }
  return std::move(plan.problems);
}

}  // namespace opkit::verify
