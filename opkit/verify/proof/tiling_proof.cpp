#include "opkit/verify/proof/tiling_proof.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <set>

#include "opkit/infer/infer.h"
#include "opkit/soc/soc_spec.h"
#include "opkit/verify/judge.h"
#include "opkit/verify/problem/domain.h"
#include "opkit/verify/proof/prove.h"

namespace opkit::verify {
namespace {

constexpr const char* kMemoryNames[] = {"GM", "UB", "L1", "L0A", "L0B", "L0C", "BT", "FB"};

// Elements of all tensors of one call, and instructions of all launches that are watched.
int64_t largest_call(Tier tier) {
  return tier == Tier::kSmoke ? int64_t{1} << 25 : int64_t{1} << (tier == Tier::kCi ? 31 : 33);
}
uint64_t instruction_budget(Tier tier) {
  return uint64_t{1} << (tier == Tier::kSmoke ? 22 : tier == Tier::kCi ? 26 : 31);
}

// Around the limits of 24, 28 and 31 bits, and primes.
constexpr int64_t kLargeSizes[] = {
    (int64_t{1} << 22) + 1, 16777213,   (int64_t{1} << 24) + 1, (int64_t{1} << 28) - 1, 536870909,
    (int64_t{1} << 30) + 1, 2147483647, (int64_t{1} << 31) + 1};

std::string shapes_text(const OpContract& contract, const Problem& problem) {
  const auto shapes = shapes_from_symbols(contract, problem.symbols, problem.attrs);
  if (!shapes.ok()) return {};
  std::vector<std::string> parts;
  for (size_t p = 0; p < contract.inputs.size(); ++p) {
    for (const Shape& shape : shapes->inputs[p])
      parts.push_back(fmt::format("{} {}", contract.inputs[p].name, shape.to_string()));
  }
  return fmt::format("{}", fmt::join(parts, ", "));
}

ProblemResult result_of(const OpContract& contract, const Problem& problem,
                        const ProvedTiling& proved) {
  ProblemResult result;
  result.problem = problem;
  result.line = to_line(contract, problem);
  result.shapes = shapes_text(contract, problem);
  result.tiling_key = proved.tiling_key;
  result.block_dim = proved.block_dim;
  if (proved.wrong) {
    result.verdict = Verdict::kFailed;
    result.code = proved.wrong->code;
    result.reason = proved.wrong->message;
    for (const std::string& context : proved.wrong->trail)
      result.reason += fmt::format(" (in {})", context);
  } else if (!proved.not_judged.empty()) {
    result.verdict = Verdict::kSkipped;
    result.reason = "the tiling was not judged: " + proved.not_judged;
  }
  return result;
}

class ProofRun {
 public:
  explicit ProofRun(const ProofRequest& request)
      : request_(request),
        contract_(*request.contract),
        domain_(contract_, std::numeric_limits<int64_t>::max() / 4),
        draws_(request.seed, 23) {}

  TilingProof run() {
    proof_.asked = request_.executor->covers();
    if (!proof_.asked) return std::move(proof_);
    choose_socs();
    const std::vector<PlannedProblem> large = large_problems();
    for (const std::string& soc : proof_.socs) {
      for (const PlannedProblem& planned : large) prove(planned, soc, true);
    }
    for (const std::string& soc : proof_.socs) {
      for (const PlannedProblem& planned : *request_.plan) prove(planned, soc, false);
    }
    for (auto& [key, use] : uses_) proof_.memory.push_back(use);
    return std::move(proof_);
  }

 private:
  // Those of the run, and every chip with a short name that the contract lists.
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

  // Each symbol large in turn.
  std::vector<PlannedProblem> large_problems() {
    std::vector<PlannedProblem> large;
    const Domain domain(contract_, largest_call(request_.tier));
    std::set<size_t> columns;
    for (const PlannedProblem& planned : *request_.plan) {
      // One model problem per column: its attributes are complete and legal.
      if (!columns.insert(planned.problem.column).second) continue;
      for (const Symbol& symbol : contract_.symbols) {
        std::set<int64_t> sizes(std::begin(kLargeSizes), std::end(kLargeSizes));
        sizes.insert(symbol.bounds.hi);
        for (const int64_t size : sizes) {
          if (!symbol.bounds.contains(size) || size < kLargeSizes[0]) continue;
          Pin pin{symbol.name, size, std::nullopt, false};
          if (symbol.kind != Symbol::Kind::kDim) pin.rank = 1;
          const auto symbols = domain.solve({pin}, {}, planned.problem.attrs, draws_);
          if (!symbols) continue;
          PlannedProblem one{planned.problem, fmt::format("large {}={}", symbol.name, size)};
          one.problem.symbols = *symbols;
          large.push_back(std::move(one));
        }
      }
    }
    return large;
  }

  void prove(const PlannedProblem& planned, const std::string& soc, bool large) {
    if (request_.stopped && request_.stopped()) return;
    Problem problem = planned.problem;
    problem.soc = soc;
    // Data, seed and threads do not matter here.
    problem.data = DataClass::kUniform;
    problem.seed = 1;
    problem.threads = 1;
    if (!seen_.insert(to_line(contract_, problem)).second) return;
    if (!not_on_chip(contract_, problem).empty()) return;
    // Shapes that only the proof meets must not use up what the plan's need.
    uint64_t& spent = spent_[large ? 1 : 0];
    if (spent > instruction_budget(request_.tier)) {
      ++proof_.not_judged["the tier's budget of instructions is spent"];
      return;
    }
    const ProvedTiling proved = prove_tiling(contract_, *request_.executor, problem, nullptr);
    spent += proved.instructions;
    count(problem, proved, large);
    if (!proved.wrong) return;
    ++proof_.wrong;
    ProblemResult result = result_of(contract_, problem, proved);
    result.origin = "tiling, " + planned.origin;
    request_.failed(std::move(result));
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
  TilingProof proof_;
  std::array<uint64_t, 2> spent_{};  // instructions; of the plan and of large shapes
  std::map<std::pair<std::string, size_t>, MemoryUse> uses_;
  std::set<std::string> seen_;
};

}  // namespace

TilingProof prove_tilings(const ProofRequest& request) { return ProofRun(request).run(); }

ProblemResult judge_tiling(const OpContract& contract, Executor& executor, const Problem& problem) {
  return result_of(contract, problem, prove_tiling(contract, executor, problem, nullptr));
}

}  // namespace opkit::verify
