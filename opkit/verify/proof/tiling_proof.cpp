#include "opkit/verify/proof/tiling_proof.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <set>

#include "opkit/infer/infer.h"
#include "opkit/soc/soc_spec.h"
#include "opkit/verify/judge.h"
#include "opkit/verify/problem/core_corners.h"
#include "opkit/verify/problem/domain.h"
#include "opkit/verify/problem/whole_domain.h"
#include "opkit/verify/proof/prove.h"

namespace opkit::verify {
namespace {

constexpr const char* kMemoryNames[] = {"GM", "UB", "L1", "L0A", "L0B", "L0C", "BT", "FB"};

// Elements of all tensors of one call, and instructions of all launches that are watched.
constexpr int64_t kLargestCall = int64_t{1} << 36;
uint64_t instruction_budget(Tier tier) {
  return uint64_t{1} << (tier == Tier::kSmoke ? 22 : tier == Tier::kCi ? 26 : 31);
}
// Shapes and attributes of one column that are judged one by one.
size_t most_of_domain(Tier tier) { return tier == Tier::kSmoke ? 256 : 4096; }

// Around the limits of 31, 24 and 28 bits, and primes; the most telling first: beyond 2^31 elements
// and 4 GiB.
constexpr int64_t kLargeSizes[] = {2147483647,
                                   (int64_t{1} << 31) + 1,
                                   (int64_t{1} << 24) + 1,
                                   (int64_t{1} << 28) - 1,
                                   536870909,
                                   (int64_t{1} << 30) + 1,
                                   16777213,
                                   (int64_t{1} << 22) + 1};
constexpr int64_t kLeastLarge = int64_t{1} << 22;

enum Kind : size_t { kOfPlan, kLarge, kCorner, kEvery, kKinds };

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
    choose_models();
    prove_every();
    const std::vector<PlannedProblem> large = large_problems();
    for (const std::string& soc : proof_.socs) {
      for (const PlannedProblem& planned : large) prove(planned, soc, kLarge);
    }
    for (const std::string& soc : proof_.socs) prove_corners(soc);
    for (const std::string& soc : proof_.socs) {
      for (const PlannedProblem& planned : *request_.plan) prove(planned, soc, kOfPlan);
    }
    for (auto& [key, use] : uses_) proof_.memory.push_back(use);
    proof_.whole_domain = proof_.whole_domain && proof_.not_judged.empty() && !stopped();
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
        for (const Problem& one : *every) {
          PlannedProblem planned{one, "every legal call"};
          planned.problem.column = column;
          prove(planned, soc, kEvery);
        }
      }
    }
  }

  // The symbol with this size, the others as the constraints and the budget leave them.
  std::optional<PlannedProblem> pinned(const Domain& domain, const Problem& model,
                                       const Symbol& symbol, int64_t size, const char* what) {
    if (!symbol.bounds.contains(size)) return std::nullopt;
    Pin pin{symbol.name, size, std::nullopt, false};
    if (symbol.kind != Symbol::Kind::kDim) pin.rank = 1;
    const auto symbols = domain.solve({pin}, {}, model.attrs, draws_);
    if (!symbols) return std::nullopt;
    PlannedProblem one{model, fmt::format("{} {}={}", what, symbol.name, size)};
    one.problem.symbols = *symbols;
    return one;
  }

  // Each symbol large in turn.
  std::vector<PlannedProblem> large_problems() {
    std::vector<PlannedProblem> large;
    const Domain domain(contract_, kLargestCall);
    const auto take = [&](const Symbol& symbol, int64_t size) {
      for (const Problem& model : models_) {
        if (size < kLeastLarge) continue;
        if (auto one = pinned(domain, model, symbol, size, "large"))
          large.push_back(std::move(*one));
      }
    };
    for (const int64_t size : kLargeSizes) {
      for (const Symbol& symbol : contract_.symbols) take(symbol, size);
    }
    for (const Symbol& symbol : contract_.symbols) take(symbol, symbol.bounds.hi);
    return large;
  }

  // 512 bytes of the column's narrowest type: a share of whole such lines is one of all shorter
  // ones, too.
  int64_t line_of(size_t column) const {
    constexpr int64_t kLineBits = 512 * 8;
    int64_t most = 1;
    for (const Port& port : contract_.inputs)
      most = std::max<int64_t>(most, kLineBits / std::max(bits_of(port.dtypes[column]), 8));
    return most;
  }

  void prove_corners(const std::string& soc) {
    const Domain domain(contract_, int64_t{1} << 31);
    for (const Problem& model : models_) {
      for (const Symbol& symbol : contract_.symbols) {
        for (const int64_t size : core_corners(soc, line_of(model.column))) {
          if (stopped()) return;
          if (auto one = pinned(domain, model, symbol, size, "above a multiple of the cores"))
            prove(*one, soc, kCorner);
        }
      }
    }
  }

  void prove(const PlannedProblem& planned, const std::string& soc, Kind kind) {
    if (stopped()) return;
    Problem problem = planned.problem;
    problem.soc = soc;
    // Data, seed and threads do not matter here.
    problem.data = DataClass::kUniform;
    problem.seed = 1;
    problem.threads = 1;
    if (!seen_.insert(to_line(contract_, problem)).second) return;
    if (!not_on_chip(contract_, problem).empty()) return;
    // Shapes that only the proof meets must not use up what the plan's need.
    uint64_t& spent = spent_[kind];
    if (spent > instruction_budget(request_.tier)) {
      ++proof_.not_judged["the tier's budget of instructions is spent"];
      return;
    }
    const ProvedTiling proved = prove_tiling(contract_, *request_.executor, problem, nullptr);
    spent += proved.instructions;
    count(problem, proved, kind == kLarge);
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
  std::vector<Problem> models_;
  std::array<uint64_t, kKinds> spent_{};  // instructions
  std::map<std::pair<std::string, size_t>, MemoryUse> uses_;
  std::set<std::string> seen_;
};

}  // namespace

TilingProof prove_tilings(const ProofRequest& request) { return ProofRun(request).run(); }

ProblemResult judge_tiling(const OpContract& contract, Executor& executor, const Problem& problem) {
  return result_of(contract, problem, prove_tiling(contract, executor, problem, nullptr));
}

}  // namespace opkit::verify
