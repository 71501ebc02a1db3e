#include "opkit/verify/proof/tiling_proof.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <set>

#include "opkit/base/digest.h"
#include "opkit/soc/soc_spec.h"
#include "opkit/verify/problem/domain.h"
#include "opkit/verify/problem/whole_domain.h"
#include "opkit/verify/problem_inputs.h"
#include "opkit/verify/proof/checked_dry.h"
#include "opkit/verify/proof/launch_text.h"
#include "opkit/verify/proof/proof_shapes.h"
#include "opkit/verify/proof/prove.h"
#include "opkit/verify/proof/proved_result.h"
#include "opkit/verify/proof/strategy_changes.h"
#include "opkit/verify/proof/usable_bytes.h"

namespace opkit::verify {
namespace {

constexpr const char* kMemoryNames[] = {"GM", "UB", "L1", "L0A", "L0B", "L0C", "BT", "FB"};

constexpr int64_t kLargestCall = int64_t{1} << 36;  // elements of all its tensors

// Instructions of all launches of one kind that are watched.
uint64_t instruction_budget(Tier tier) {
  return uint64_t{1} << (tier == Tier::kSmoke ? 22 : tier == Tier::kCi ? 26 : 31);
}
// Shapes and attributes of one column that are judged one by one.
size_t most_of_domain(Tier tier) { return tier == Tier::kSmoke ? 256 : 4096; }

enum Kind : size_t { kOfPlan, kLarge, kCorner, kEvery, kChange, kTiles, kKinds };

// Instructions of all launches on walks to more and more tiles for each core; of those beside
// changes of strategy that Checked watches.
uint64_t walk_budget(Tier tier) { return most_checked_dry(tier) * (tier == Tier::kSmoke ? 8 : 16); }
uint64_t changes_budget(Tier tier) { return walk_budget(tier); }
// Instructions of a launch that would be given up for its length, as far as one can say before.
constexpr double kTooLong = 8e6;
// Smaller calls run under Checked with their data.
constexpr int64_t kLeastWalked = int64_t{1} << 14;
// Launches of one key that Checked watches one by one; further ones must be twice as long.
constexpr int kFirstWatched = 6;

class ProofRun {
 public:
  explicit ProofRun(const ProofRequest& request)
      : request_(request),
        contract_(*request.contract),
        domain_(contract_, std::numeric_limits<int64_t>::max() / 4),
        draws_(request.seed, 23),
        shapes_(contract_, draws_) {}

  TilingProof run() {
    proof_.asked = request_.executor->covers();
    if (!proof_.asked) return std::move(proof_);
    choose_socs();
    choose_models();
    prove_every();
    prove_large();
    for (const std::string& soc : proof_.socs) prove_corners(soc);
    for (const std::string& soc : request_.socs) prove_lines(soc);
    for (const std::string& soc : proof_.socs) {
      for (const PlannedProblem& planned : *request_.plan) prove(planned, soc, kOfPlan);
    }
    for (auto& [key, use] : uses_) proof_.memory.push_back(use);
    proof_.whole_domain = proof_.whole_domain && proof_.not_judged.empty() && !stopped();
    return std::move(proof_);
  }

 private:
  // Chooses the chips of the run, and every one with a short name that the contract lists.
  void choose_socs() {
    proof_.socs = request_.socs;
    std::set<std::string> families;
    for (const std::string& soc : request_.socs) families.insert(find_soc(soc)->spec->short_name);
    for (const std::string& name : soc_names()) {
      const bool known =
          std::find(proof_.socs.begin(), proof_.socs.end(), name) != proof_.socs.end();
      if (!known && families.count(find_soc(name)->spec->short_name) > 0)
        proof_.socs.push_back(name);
    }
  }

  // One model problem per column: its attributes are complete and legal.
  void choose_models() {
    std::set<size_t> columns;
    for (const PlannedProblem& planned : *request_.plan) {
      if (columns.insert(planned.problem.column).second) models_.push_back(planned.problem);
    }
  }

  bool stopped() const { return request_.stopped && request_.stopped(); }

  // All there are, when they are few.
  void prove_every() {
    const auto every = whole_domain(contract_, most_of_domain(request_.tier));
    if (!every) return;
    proof_.whole_domain = true;
    for (const std::string& soc : proof_.socs) {
      for (size_t column = 0; column < contract_.column_count(); ++column) {
        if (request_.column && column != *request_.column) continue;
        for (const Problem& one : *every) {
          PlannedProblem planned{one, "every legal call"};
          planned.problem.column = column;
          prove(planned, soc, kEvery);
        }
      }
    }
  }

  using LargeKind = std::pair<const Symbol*, size_t>;  // the symbol, and the column

  // A launch that is too long to be judged spends as much as several that are not: the shortest of
  // each kind tells how long the others get.
  void prove_large() {
    const std::vector<LargeProblem> all = shapes_.large(models_);
    std::map<LargeKind, const LargeProblem*> shortest;
    for (const LargeProblem& large : all) {
      const LargeProblem*& known = shortest[kind_of(large)];
      if (known == nullptr || large.size < known->size) known = &large;
    }
    std::map<LargeKind, double> rates;  // instructions for each of the symbol's size
    for (const auto& [kind, large] : shortest) {
      const auto proved = prove(large->planned, proof_.socs.front(), kLarge);
      if (proved)
        rates[kind] = static_cast<double>(proved->instructions) / static_cast<double>(large->size);
    }
    for (const std::string& soc : proof_.socs) {
      for (const LargeProblem& large : all) {
        if (rates[kind_of(large)] * static_cast<double>(large.size) > kTooLong) {
          ++proof_.not_judged["by a smaller size, the launch takes too many instructions"];
        } else {
          prove(large.planned, soc, kLarge);
        }
      }
    }
  }

  static LargeKind kind_of(const LargeProblem& large) {
    return {large.symbol, large.planned.problem.column};
  }

  void prove_corners(const std::string& soc) {
    for (const Problem& model : models_) {
      for (const Symbol& symbol : contract_.symbols) {
        for (const int64_t size : shapes_.corner_sizes(soc, model.column)) {
          if (stopped()) return;
          if (is_spent(kCorner)) continue;
          if (auto one = shapes_.corner(model, symbol, size)) prove(*one, soc, kCorner);
        }
        const auto end = shapes_.upper_end(model, symbol);
        if (const auto proved = end ? prove(*end, soc, kCorner) : std::nullopt)
          check_order(*end, *proved);
      }
    }
  }

  // Along each symbol: both sides of every change of strategy, and more and more tiles.
  void prove_lines(const std::string& soc) {
    const auto reads = [](const Port& port) { return port.value_depend; };
    const bool on_data = std::any_of(contract_.inputs.begin(), contract_.inputs.end(), reads);
    const Domain domain(contract_, on_data ? int64_t{1} << 20 : kLargestCall);
    for (Problem model : models_) {
      model.soc = soc;
      if (!not_on_chip(contract_, model).empty()) continue;
      for (size_t s = 0; s < contract_.symbols.size() && !stopped(); ++s) {
        const Sizes sizes(domain, model, s, draws_);
        if (soc == request_.socs.front()) prove_changes(sizes, soc);
        walk_tiles(sizes, soc);
      }
    }
  }

  void prove_changes(const Sizes& sizes, const std::string& soc) {
    const AskTiling ask = [this](const Problem& problem) -> SharedPlan {
      if (stopped() || unanswered_) return nullptr;
      const auto call = make_facts(contract_, problem);
      if (!call.ok()) return nullptr;
      if (request_.asked) request_.asked(problem);
      auto plan = request_.executor->plan(contract_, problem.soc, call->facts);
      unanswered_ = !plan.ok() && plan.error().is(Cause::kTooSlow);
      return plan.ok() ? *plan : nullptr;
    };
    for (const StrategyChange& change : strategy_changes(sizes, ask)) {
      for (const Problem& side : {change.below, change.above}) {
        const PlannedProblem planned{side, "change of strategy"};
        const auto proved = prove(planned, soc, kChange);
        if (proved && changes_watched_ <= changes_budget(request_.tier)) {
          check_order(planned, *proved);
          changes_watched_ += proved->instructions;
        }
        proof_.changes.push_back(side);
      }
    }
  }

  // One, two, three and many tiles for each core, as far as a budget of instructions goes.
  void walk_tiles(const Sizes& sizes, const std::string& soc) {
    struct Watched {
      double work = 0;  // instructions of a block
      int launches = 0;
    };
    std::map<uint64_t, Watched> watched;  // is keyed by tiling key
    for (const int64_t number : sizes.spread()) {
      const auto problem = sizes.at(number);
      if (stopped() || spent_[kTiles] > walk_budget(request_.tier)) return;
      if (!problem || domain_.elements(problem->symbols, problem->attrs) < kLeastWalked) continue;
      const PlannedProblem planned{*problem, "tiles for each core"};
      const auto proved = prove(planned, soc, kTiles);
      if (!proved) continue;
      if (proved->instructions > most_checked_dry(request_.tier)) return;
      Watched& last = watched[proved->tiling_key];
      const double work =
          static_cast<double>(proved->instructions) / std::max<uint32_t>(proved->block_dim, 1);
      if (work < (last.launches < kFirstWatched ? 1.2 : 2) * last.work) continue;
      last.work = work;
      ++last.launches;
      check_order(planned, *proved);
    }
  }

  // What Checked says of a launch whose tiling is right.
  void check_order(const PlannedProblem& planned, const ProvedTiling& proved) {
    if (proved.wrong || !proved.not_judged.empty() || stopped()) return;
    if (proved.instructions > most_checked_dry(request_.tier)) return;
    ++proof_.checked;
    ProvedTiling judged = proved;
    judged.wrong = checked_dry(*request_.executor, proved.plan);
    if (judged.wrong) fail(planned, proved.plan->soc->name, judged);
  }

  void fail(const PlannedProblem& planned, const std::string& soc, const ProvedTiling& proved) {
    ++proof_.wrong;
    ProblemResult result = result_of(contract_, on_tiling(planned.problem, soc), proved);
    result.origin = "tiling, " + planned.origin;
    request_.failed(std::move(result));
  }

  // Data, seed and threads do not matter here.
  static Problem on_tiling(Problem problem, const std::string& soc) {
    problem.soc = soc;
    problem.data = DataClass::kUniform;
    problem.seed = 1;
    problem.threads = 1;
    return problem;
  }

  // Returns nothing when the call was judged before, or is not judged.
  std::optional<ProvedTiling> prove(const PlannedProblem& planned, const std::string& soc,
                                    Kind kind) {
    if (stopped()) return std::nullopt;
    const Problem problem = on_tiling(planned.problem, soc);
    if (!seen_.insert(to_line(contract_, problem)).second) return std::nullopt;
    if (!not_on_chip(contract_, problem).empty()) return std::nullopt;
    if (is_spent(kind)) return std::nullopt;
    if (request_.asked) request_.asked(problem);
    ProvedTiling proved = proved_once(problem, kind);
    count(problem, proved, kind == kLarge);
    if (proved.wrong) fail(planned, soc, proved);
    return proved;
  }

  // Shapes that only the proof meets must not use up what the plan's need.
  bool is_spent(Kind kind) {
    if (spent_[kind] <= instruction_budget(request_.tier)) return false;
    ++proof_.not_judged["the tier's budget of instructions is spent"];
    return true;
  }

  // A launch that is the same on several chips is watched on one of them, unless it is wrong.
  ProvedTiling proved_once(const Problem& problem, Kind kind) {
    auto plan = plan_of(problem);
    if (!plan.ok()) {
      ProvedTiling refused;
      refused.wrong = std::move(plan).error();
      return refused;
    }
    Problem anywhere = problem;
    anywhere.soc.clear();
    const std::string launch = sha256_hex(to_line(contract_, anywhere) + launch_text(**plan));
    if (const auto known = right_.find(launch); known != right_.end()) {
      ProvedTiling proved = known->second;
      proved.plan = *plan;
      return proved;
    }
    ProvedTiling proved = prove_tiling(contract_, *request_.executor, problem, nullptr, *plan);
    spent_[kind] += proved.instructions;
    if (!proved.wrong) {
      ProvedTiling& kept = right_[launch] = proved;
      kept.plan = nullptr;
    }
    return proved;
  }

  Result<SharedPlan> plan_of(const Problem& problem) {
    OPKIT_TRY(const ProblemFacts call, make_facts(contract_, problem));
    return request_.executor->plan(contract_, problem.soc, call.facts);
  }

  void count(const Problem& problem, const ProvedTiling& proved, bool large) {
    if (!proved.not_judged.empty()) {
      ++proof_.not_judged[proved.not_judged];
      return;
    }
    ++proof_.calls;
    proof_.large += large ? 1 : 0;
    if (proved.wrong) return;
    const std::string line = to_line(contract_, problem);
    if (const auto elements = domain_.elements(problem.symbols, problem.attrs);
        elements && *elements > proof_.most_elements) {
      proof_.most_elements = *elements;
      proof_.largest_line = line;
    }
    proof_.keys.emplace(proved.tiling_key, problem);
    for (const std::string& note : proved.notes) proof_.notes.emplace(note, line);
    for (size_t memory = OPK_MEM_UB; memory < OPK_MEM_COUNT; ++memory) {
      if (proved.peak[memory] == 0) continue;
      MemoryUse& use = uses_[{problem.soc, memory}];
      if (proved.peak[memory] <= use.peak) continue;
      use = {problem.soc, kMemoryNames[memory], proved.peak[memory],
             usable_bytes(problem.soc, static_cast<opk_memory>(memory)), line};
    }
  }

  const ProofRequest& request_;
  const OpContract& contract_;
  Domain domain_;
  Draws draws_;
  ProofShapes shapes_;
  TilingProof proof_;
  std::vector<Problem> models_;
  std::array<uint64_t, kKinds> spent_{};  // instructions
  std::map<std::pair<std::string, size_t>, MemoryUse> uses_;
  uint64_t changes_watched_ = 0;  // instructions of launches beside changes, under Checked
  std::set<std::string> seen_;
  std::map<std::string, ProvedTiling> right_;  // is keyed by launch
  bool unanswered_ = false;                    // the tiling function does not answer
};

}  // namespace

TilingProof prove_tilings(const ProofRequest& request) { return ProofRun(request).run(); }

}  // namespace opkit::verify
