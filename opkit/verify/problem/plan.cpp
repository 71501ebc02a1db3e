#include "opkit/verify/problem/plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "opkit/soc/soc_spec.h"
#include "opkit/verify/problem/attr_values.h"
#include "opkit/verify/problem/domain.h"
#include "opkit/verify/problem/legal_attrs.h"

namespace opkit::verify {
namespace {

// Elements of a part behind a landmark: enough of them that a part with another one's data shows.
constexpr int64_t kFurther = 37;

constexpr size_t kLandmarks = 8;

// What the stages of a plan have made together.
struct Plan {
  std::vector<PlannedProblem> problems;
  std::set<std::string> lines;
  std::set<std::string> corners;  // by column: what a smaller budget had room for
};

// One tier's part of a plan: what the tiers before it have not.
class Planner {
 public:
  Planner(const PlanRequest& request, Tier stage, Plan& plan)
      : request_(request),
        stage_(stage),
        contract_(*request.contract),
        domain_(contract_, element_budget(stage)),
        draws_(request.seed, 17 + static_cast<uint64_t>(stage)),
        defaults_(usual_attrs(domain_, draws_)),
        plan_(plan) {}

  void run() {
    for (column_ = 0; column_ < contract_.column_count(); ++column_) {
      if (stage_ == Tier::kSmoke) add_cases();
      add_corners();
      if (stage_ == Tier::kSmoke) {
        add_variants();
        add_attr_classes();
      }
      add_data_classes();
      if (stage_ == Tier::kSmoke) add_socs();
    }
    for (column_ = 0; column_ < contract_.column_count(); ++column_) add_random();
  }

 private:
  void add(Problem problem, std::string origin) {
    if (plan_.lines.insert(to_line(contract_, problem)).second)
      plan_.problems.push_back({std::move(problem), std::move(origin)});
  }

  Problem base(SymbolValues symbols) {
    Problem problem;
    problem.soc = request_.socs.front();
    problem.column = column_;
    problem.symbols = std::move(symbols);
    problem.attrs = defaults_;
    problem.seed = request_.seed;
    return problem;
  }

  void add_cases() {
    for (size_t i = 0; i < contract_.tests.size(); ++i) {
      const Case& one = contract_.tests[i];
      const auto attrs = contract_.complete(one.attrs);
      if (!attrs.ok()) continue;
      for (const DataClass data : {DataClass::kExactInteger, DataClass::kUniform}) {
        Problem problem = base(one.symbols);
        problem.attrs = *attrs;
        problem.data = data;
        add(std::move(problem), fmt::format("case {} of the contract", i + 1));
      }
    }
  }

  // Elements of 32 bytes in the column's narrowest input.
  int64_t block_elements() const {
    int64_t most = 1;
    for (const Port& port : contract_.inputs)
      most = std::max<int64_t>(most, 256 / std::max(bits_of(port.dtypes[column_]), 8));
    return most;
  }

  std::vector<int64_t> corner_sizes() const {
    const int64_t block = block_elements(), repeat = block * 8;
    std::vector<int64_t> sizes{1,          2,      7,          block - 1, block, block + 1,
                               repeat - 1, repeat, repeat + 1, 127,       1021};
    const auto soc = find_soc(request_.socs.front());
    if (soc.ok()) {
      const int64_t cores =
          std::max<uint32_t>(soc->spec->cores.vector_core, soc->spec->cores.ai_core);
      for (const int64_t near : {cores - 1, cores, cores + 1}) sizes.push_back(near);
      // Whole blocks for every core, and a remainder.
      for (const int64_t line : {block, repeat}) sizes.push_back(cores * line + cores - 1);
    }
    size_t taken = 0;
    for (const int64_t landmark : request_.landmarks) {
      if (landmark > domain_.budget() / 4) continue;
      if (++taken > kLandmarks) break;
      for (const int64_t near : {landmark - 1, landmark, landmark + 1, landmark + kFurther})
        sizes.push_back(near);
    }
    return sizes;
  }

  void add_pinned(const std::vector<Pin>& pins, const std::string& origin, DataClass data) {
    const std::string corner = fmt::format("{} {}", column_, origin);
    if (plan_.corners.count(corner) > 0) return;
    const auto symbols = domain_.solve(pins, {}, defaults_, draws_);
    if (!symbols) return;
    Problem problem = base(*symbols);
    problem.data = data;
    plan_.corners.insert(corner);
    add(std::move(problem), origin);
  }

  void add_corners() {
    for (const Symbol& symbol : contract_.symbols) {
      std::vector<int64_t> sizes = corner_sizes();
      sizes.push_back(symbol.bounds.lo);
      sizes.push_back(symbol.bounds.lo + 1);
      sizes.push_back(std::min(symbol.bounds.hi, domain_.budget()));
      sizes.push_back(std::min(symbol.bounds.hi, domain_.budget() / 4));
      if (symbol.bounds.contains(0)) sizes.push_back(0);
      std::sort(sizes.begin(), sizes.end());
      sizes.erase(std::unique(sizes.begin(), sizes.end()), sizes.end());
      for (size_t i = 0; i < sizes.size(); ++i) {
        const int64_t size = sizes[i];
        if (!symbol.bounds.contains(size) || left_to_others(i)) continue;
        Pin pin{symbol.name, size, std::nullopt, false};
        if (symbol.kind != Symbol::Kind::kDim) pin.rank = 1;
        add_pinned({pin}, fmt::format("corner {}={}", symbol.name, size), DataClass::kExactInteger);
      }
      if (symbol.kind != Symbol::Kind::kDim) add_rank_corners(symbol);
    }
  }

  // A smoke test's columns behind the first share the corners of many symbols among them.
  bool left_to_others(size_t place) const {
    return stage_ == Tier::kSmoke && domain_.has_many_symbols() && column_ > 0 &&
           place % 2 != column_ % 2;
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
    std::vector<SymbolValues> starts;
    SymbolValues all;
    for (const Port& port : contract_.inputs) {
      if (port.presence != Presence::kOptional) continue;
      SymbolValues one;
      one.absent.insert(port.name);
      all.absent.insert(port.name);
      starts.push_back(one);
    }
    if (all.absent.size() > 1) starts.push_back(all);
    for (const std::string& name : collapsible()) {
      SymbolValues one;
      one.collapsed.insert(name);
      starts.push_back(one);
    }
    if (!starts.empty()) starts.push_back({});
    for (const SymbolValues& start : starts) {
      for (const DataClass data :
           {DataClass::kUniform, DataClass::kExactInteger, DataClass::kOneHot}) {
        const auto symbols = domain_.solve({}, start, defaults_, draws_);
        if (!symbols) continue;
        Problem problem = base(*symbols);
        problem.data = data;
        add(std::move(problem), "optional inputs and broadcasts");
      }
    }
  }

  std::vector<std::string> collapsible() const {
    std::vector<std::string> names;
    for (const Port& port : contract_.inputs) {
      for (size_t axis = 0; axis < port.shape.items.size(); ++axis) {
        if (port.shape.items[axis].is_collapsible())
          names.push_back(fmt::format("{}:{}", port.name, axis));
      }
    }
    return names;
  }

  void add_attr_classes() {
    for (const Attr& attr : contract_.attrs) {
      for (const AttrChoice& choice : attr_choices(attr)) {
        const auto found = attrs_with(attr.name, choice.value);
        if (!found) continue;
        const AttrValues& attrs = *found;
        for (const DataClass data : {DataClass::kUniform, DataClass::kExactInteger}) {
          const auto symbols = domain_.solve({}, {}, attrs, draws_);
          if (!symbols) continue;
          Problem problem = base(*symbols);
          problem.attrs = attrs;
          problem.data = data;
          add(std::move(problem), fmt::format("attr {} {}", attr.name, choice.label));
        }
      }
    }
  }

  // The usual attributes with this one; where that leaves no legal call, others that do.
  std::optional<AttrValues> attrs_with(const std::string& name, const AttrValue& value) {
    AttrValues attrs = defaults_;
    attrs[name] = value;
    if (!domain_.possible({{name, value}})) return std::nullopt;
    if (domain_.possible(attrs) && domain_.solve({}, {}, attrs, draws_)) return attrs;
    return legal_attrs(domain_, {{name, value}}, draws_);
  }

  void add_data_classes() {
    for (const DataClass data : all_data_classes()) {
      const auto symbols = domain_.solve({}, {}, defaults_, draws_);
      if (!symbols) continue;
      Problem problem = base(*symbols);
      problem.data = data;
      problem.threads = 2;
      add(std::move(problem), fmt::format("data class {}", name_of(data)));
    }
  }

  void add_socs() {
    for (const std::string& soc : request_.socs) {
      const auto symbols = domain_.solve({}, {}, defaults_, draws_);
      if (!symbols) continue;
      Problem problem = base(*symbols);
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

  // Another value, unless none is found that the constraints leave beside the others.
  void vary(const Attr& attr, AttrValues& attrs) {
    for (int attempt = 0; attempt < 8; ++attempt) {
      AttrValues changed = attrs;
      changed[attr.name] = random_attr(attr, draws_);
      if (!domain_.possible(changed)) continue;
      attrs = std::move(changed);
      return;
    }
  }

  std::optional<Problem> random_problem() {
    AttrValues attrs = defaults_;
    for (const Attr& attr : contract_.attrs) {
      if (draws_.chance(0.7)) vary(attr, attrs);
    }
    SymbolValues start;
    for (const Port& port : contract_.inputs) {
      if (port.presence == Presence::kOptional && draws_.chance(0.4))
        start.absent.insert(port.name);
    }
    for (const std::string& name : collapsible()) {
      if (draws_.chance(0.3)) start.collapsed.insert(name);
    }
    const auto symbols = domain_.solve({}, start, attrs, draws_);
    if (!symbols) return std::nullopt;
    Problem problem = base(*symbols);
    problem.attrs = std::move(attrs);
    problem.data = draws_.pick(all_data_classes());
    problem.soc = draws_.pick(request_.socs);
    problem.threads = static_cast<unsigned>(draws_.whole(1, 2));
    problem.seed = draws_.bits() % 1000000;
    return problem;
  }

  const PlanRequest& request_;
  Tier stage_;
  const OpContract& contract_;
  Domain domain_;
  Draws draws_;
  AttrValues defaults_;
  size_t column_ = 0;
  Plan& plan_;
};

}  // namespace

std::string_view name_of(Tier tier) {
  switch (tier) {
    case Tier::kSmoke: return "smoke";
    case Tier::kCi: return "ci";
    case Tier::kNightly: return "nightly";
  }
  return {};
}

std::optional<Tier> tier_from_name(std::string_view name) {
  for (const Tier tier : {Tier::kSmoke, Tier::kCi, Tier::kNightly}) {
    if (name_of(tier) == name) return tier;
  }
  return std::nullopt;
}

int64_t random_count(Tier tier) {
  switch (tier) {
    case Tier::kSmoke: return 10;
    case Tier::kCi: return 120;
    case Tier::kNightly: return 3000;
  }
  return 0;
}

int64_t element_budget(Tier tier) {
  switch (tier) {
    case Tier::kSmoke: return int64_t{1} << 15;
    case Tier::kCi: return int64_t{1} << 18;
    case Tier::kNightly: return int64_t{1} << 20;
  }
  return 0;
}

std::vector<PlannedProblem> make_plan(const PlanRequest& request) {
  Plan plan;
  for (const Tier stage : {Tier::kSmoke, Tier::kCi, Tier::kNightly}) {
    if (stage <= request.tier) Planner(request, stage, plan).run();
  }
  return std::move(plan.problems);
}

}  // namespace opkit::verify
