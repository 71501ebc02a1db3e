#include "opkit/verify/test_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <limits>
#include <set>

#include "opkit/base/digest.h"
#include "opkit/base/file.h"
#include "opkit/soc/soc_spec.h"
#include "opkit/verify/capsule.h"
#include "opkit/verify/error_inputs.h"
#include "opkit/verify/judge.h"
#include "opkit/verify/labels.h"
#include "opkit/verify/problem/domain.h"
#include "opkit/verify/proof/prove.h"
#include "opkit/verify/results_store.h"
#include "opkit/verify/shrink.h"

namespace opkit::verify {
namespace {

constexpr const char* kOtherBits = "OPK-VERIFY-021";  // of runs of the same call
constexpr size_t kLandmarks = 6;
constexpr int64_t kEnoughForBias = 1000;  // elements that need rounding
constexpr double kNotableBias = 0.2;      // ulps; a directed rounding gives 0.5

class Run {
 public:
  Run(const TestRequest& request, Progress& progress)
      : request_(request), contract_(*request.contract), progress_(progress) {}

  Result<TestReport> run() {
    const auto begin = std::chrono::steady_clock::now();
    report_.op = contract_.op;
    report_.version = contract_.version;
    report_.contract_digest = sha256_hex(contract_.text);
    report_.plugin_digest = request_.executor->digest();
    report_.tier = request_.tier;
    OPKIT_CHECK(choose_socs());
    OPKIT_CHECK(open_store());
    if (request_.line.empty()) {
      run_tier();
    } else {
      OPKIT_TRY(Problem problem, parse_line(contract_, request_.line));
      if (problem.soc.empty()) problem.soc = report_.socs.front();
      OPKIT_TRY(const SocMatch match, find_soc(problem.soc));
      problem.soc = match.spec->name;
      take(judge_one({std::move(problem), "asked for"}));
    }
    conclude();
    const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - begin;
    report_.seconds = spent.count();
    return std::move(report_);
  }

 private:
  // Full names. A short name stands for the vendor's default chip, in the nightly tier for all.
  Status choose_socs() {
    std::vector<std::string> asked = request_.socs.empty() ? contract_.soc : request_.socs;
    if (asked.empty()) asked = soc_names();
    for (const std::string& name : asked) {
      OPKIT_TRY(const SocMatch match, find_soc(name));
      add_soc(match.spec->name);
      if (request_.tier != Tier::kNightly || match.note.empty()) continue;
      for (const std::string& full : soc_names()) {
        OPKIT_TRY(const SocMatch other, find_soc(full));
        if (other.spec->short_name == match.spec->short_name) add_soc(full);
      }
    }
    // The chip that can do most comes first: it is the one that corners run on.
    std::stable_sort(report_.socs.begin(), report_.socs.end(), [](const auto& a, const auto& b) {
      return find_soc(a)->spec->has("bfloat16") > find_soc(b)->spec->has("bfloat16");
    });
    return {};
  }

  void add_soc(const std::string& name) {
    if (std::find(report_.socs.begin(), report_.socs.end(), name) == report_.socs.end())
      report_.socs.push_back(name);
  }

  Status open_store() {
    if (request_.results.empty()) return {};
    OPKIT_TRY(store_, ResultsStore::open(request_.results));
    return {};
  }

  void run_tier() {
    std::vector<PlannedProblem> plan = past_failures();
    const size_t past = plan.size();  // in every shard
    for (PlannedProblem& planned :
         make_plan({&contract_, report_.socs, request_.tier, request_.seed, landmarks(),
                    request_.random_problems}))
      plan.push_back(std::move(planned));
    progress_.planned(plan.size());
    for (size_t i = 0; i < plan.size() && !stopped(); ++i) {
      if (i >= past && (i - past) % request_.shards != request_.shard) continue;
      take(judge_one(plan[i]));
    }
    if (request_.shard != 0) return;
    prove_tiling(plan);
    if (request_.singles != nullptr && !stopped())
      report_.unfused = compare_unfused(contract_, *request_.executor, *request_.singles, plan);
    for (ProblemResult& result :
         judge_error_inputs(contract_, *request_.executor, report_.socs.front(), request_.seed))
      take(std::move(result));
  }

  void prove_tiling(const std::vector<PlannedProblem>& plan) {
    ProofRequest proof{&contract_,    request_.executor, report_.socs, &plan,
                       request_.tier, request_.seed,     {},           {}};
    proof.failed = [&](ProblemResult result) { take(std::move(result)); };
    proof.stopped = [&] { return stopped(); };
    report_.tiling = prove_tilings(proof);
    reach_keys();
  }

  // A tiling key that only the proof met is run on data, at the smallest shape that has it.
  void reach_keys() {
    std::set<uint64_t> reached;
    for (const ProblemResult& result : report_.results) {
      if (result.ran) reached.insert(result.tiling_key);
    }
    for (const auto& [key, found] : report_.tiling.keys) {
      if (reached.count(key) > 0 || stopped()) continue;
      const auto has_key = [&, wanted = key](const Problem& candidate) {
        const ProvedTiling proved =
            verify::prove_tiling(contract_, *request_.executor, candidate, nullptr);
        return !proved.wrong && proved.not_judged.empty() && proved.tiling_key == wanted;
      };
      take(judge_one(
          {shrink(contract_, found, has_key).problem, fmt::format("tiling key {}", key)}));
    }
  }

  bool stopped() {
    const size_t most = request_.stop_at_failure ? 1 : 4 * request_.max_failures;
    return progress_.cancelled() || failed_ >= most;
  }

  std::vector<PlannedProblem> past_failures() {
    std::vector<PlannedProblem> plan;
    if (!store_) return plan;
    for (const std::string& line : store_->failures(contract_.op)) {
      auto problem = parse_line(contract_, line);  // a line of an older contract may not fit
      if (problem.ok()) plan.push_back({std::move(problem).value(), "past failure"});
    }
    return plan;
  }

  ProblemResult judge_one(const PlannedProblem& planned) {
    if (store_ && request_.resume) {
      const std::string line = to_line(contract_, planned.problem);
      if (auto known = store_->passed(report_.contract_digest, report_.plugin_digest, line)) {
        known->problem = planned.problem;
        known->origin = planned.origin;
        ++report_.resumed;
        return std::move(*known);
      }
    }
    ProblemResult result = judge(contract_, *request_.executor, planned.problem);
    result.origin = planned.origin;
    if (store_)
      store_->record(contract_.op, report_.contract_digest, report_.plugin_digest, result);
    return result;
  }

  void take(ProblemResult result) {
    progress_.finished(report_.results.size(), result);
    if (result.verdict == Verdict::kFailed) {
      ++failed_;
      if (report_.failures.size() < request_.max_failures && is_new(result)) explain(result);
    }
    report_.results.push_back(std::move(result));
  }

  // Failures with the same smallest problem are told once.
  bool is_new(const ProblemResult& result) const {
    const auto same_kind = [&](const Failure& failure) {
      return failure.found.code == result.code &&
             failure.found.problem.column == result.problem.column;
    };
    return std::count_if(report_.failures.begin(), report_.failures.end(), same_kind) < 2;
  }

  void explain(const ProblemResult& found) {
    Failure failure{found, found, 0, {}, {}};
    const bool a_problem = found.origin.rfind("error ", 0) != 0;
    const bool of_tiling = found.origin.rfind("tiling, ", 0) == 0;
    const auto judged = [&](const Problem& candidate) {
      return of_tiling ? judge_tiling(contract_, *request_.executor, candidate)
                       : judge(contract_, *request_.executor, candidate);
    };
    if (request_.shrink && a_problem) {
      progress_.shrinking(found);
      const auto fails = [&](const Problem& candidate) {
        if (found.code == kOtherBits) make_another_call(candidate);
        const ProblemResult result = judged(candidate);
        return result.verdict == Verdict::kFailed && result.code == found.code;
      };
      const Shrunk shrunk = shrink(contract_, found.problem, fails);
      if (found.code == kOtherBits) make_another_call(shrunk.problem);
      failure.smallest = judged(shrunk.problem);
      failure.smallest.origin = "shrunk";
      failure.shrink_steps = shrunk.tried;
      if (failure.smallest.verdict != Verdict::kFailed) failure.smallest = found;
      if (failure.smallest.code == "EK1101") tell_what_fits(failure.smallest, judged);
      // A tiling is proved in every run, with shapes that are too large to be run.
      if (store_ && !of_tiling)
        store_->record(contract_.op, report_.contract_digest, report_.plugin_digest,
                       failure.smallest);
    }
    for (const Failure& known : report_.failures) {
      if (known.smallest.line == failure.smallest.line) return;
    }
    if (a_problem) {
      failure.trace = trace_of(failure.smallest);
      keep_capsule(failure, of_tiling);
    }
    report_.failures.push_back(std::move(failure));
  }

  // The neighbours of the smallest shape that does not fit.
  template <typename Judged>
  void tell_what_fits(ProblemResult& smallest, const Judged& judged) {
    const auto consider = [&](const std::string& symbol, const Problem& candidate, int64_t size) {
      const Domain domain(contract_, std::numeric_limits<int64_t>::max() / 4);
      if (domain.accepts(candidate.symbols, candidate.attrs) &&
          judged(candidate).verdict != Verdict::kFailed)
        smallest.reason += fmt::format("; with {}={} it fits", symbol, size);
    };
    for (const auto& [symbol, dim] : smallest.problem.symbols.dims) {
      Problem candidate = smallest.problem;
      candidate.symbols.dims[symbol] = dim - 1;
      if (dim > 1) consider(symbol, candidate, dim - 1);
    }
    for (const auto& [symbol, dims] : smallest.problem.symbols.lists) {
      Problem candidate = smallest.problem;
      if (dims.size() != 1 || dims[0] <= 1) continue;
      candidate.symbols.lists[symbol] = {dims[0] - 1};
      consider(symbol, candidate, dims[0] - 1);
    }
  }

  // What a kernel remembers of earlier calls must come from another call, not from the last
  // candidate.
  void make_another_call(const Problem& candidate) {
    Problem other = candidate;
    const auto defaults = contract_.complete({});
    if (defaults.ok()) other.attrs = *defaults;
    ++other.seed;
    judge(contract_, *request_.executor, other);
  }

  // The first wrong element, and the instructions that wrote it.
  std::vector<std::string> trace_of(const ProblemResult& failed) {
    for (size_t p = 0, at = 0; p < contract_.outputs.size(); ++p) {
      for (size_t t = 0; at < failed.outputs.size() && failed.outputs[at].port == p; ++t, ++at) {
        const Comparison& comparison = failed.outputs[at];
        if (comparison.worst.empty()) continue;
        auto inputs = make_inputs(contract_, failed.problem);
        if (!inputs.ok()) return {};
        const WrongElement& wrong = comparison.worst.front();
        std::vector<std::string> told{
            fmt::format("{}[{}] is wrong", comparison.output, fmt::join(wrong.index, ", "))};
        for (std::string& line : request_.executor->writers_of(
                 {&contract_, failed.problem.soc, std::move(inputs).value(), failed.problem.attrs,
                  failed.problem.threads, false, 0},
                 p, t, wrong.element))
          told.push_back(std::move(line));
        return told;
      }
    }
    return {};
  }

  void keep_capsule(Failure& failure, bool of_tiling) {
    if (request_.results.empty()) return;
    const std::string name = fmt::format("{}-{}.capsule.json", contract_.op,
                                         sha256_hex(failure.smallest.line).substr(0, 12));
    const std::filesystem::path file = request_.results / name;
    const std::string text = to_json(
        make_capsule(contract_, report_.plugin_digest, failure.smallest, of_tiling, failure.trace));
    if (write_file(file, text).ok()) failure.capsule = file;
  }

  // Numbers in the tiling data are likely sizes of shares and tiles.
  std::vector<int64_t> landmarks() {
    std::set<int64_t> found;
    const int64_t budget = element_budget(request_.tier);
    for (const PlannedProblem& probe :
         make_plan({&contract_, {report_.socs.front()}, Tier::kSmoke, request_.seed, {}, 4})) {
      if (probe.origin.rfind("data class", 0) != 0 && probe.origin != "random") continue;
      auto inputs = make_inputs(contract_, probe.problem);
      if (!inputs.ok()) continue;
      Invocation invocation{
          &contract_, probe.problem.soc, std::move(inputs).value(), probe.problem.attrs, 1, false};
      const auto run = request_.executor->run(std::move(invocation));
      if (run.ok()) collect_words(run->tiling_data, budget / 4, found);
    }
    std::vector<int64_t> spread;
    const size_t step = std::max<size_t>(1, found.size() / kLandmarks);
    size_t at = 0;
    for (const int64_t landmark : found) {
      if (at++ % step == 0) spread.push_back(landmark);
    }
    return spread;
  }

  static void collect_words(const std::vector<std::byte>& data, int64_t most,
                            std::set<int64_t>& found) {
    for (size_t at = 0; at + sizeof(uint32_t) <= data.size(); at += sizeof(uint32_t)) {
      uint32_t word = 0;
      std::memcpy(&word, data.data() + at, sizeof(word));
      if (word >= 8 && static_cast<int64_t>(word) <= most) found.insert(word);
    }
  }

  void conclude() {
    for (const ProblemResult& result : report_.results) {
      ++report_.counts[result.verdict];
      if (!result.ran) continue;
      for (const std::string& label : result.labels) ++report_.coverage.labels[label];
    }
    if (contract_.tolerance) {
      report_.notes.push_back(fmt::format(
          "manual tolerance {:g} relative, {:g} absolute, in place of the derived one: {}",
          contract_.tolerance->value, contract_.tolerance->absolute, contract_.tolerance->reason));
    }
    note_bias();
    const std::string fooled = trivial_kernels();
    find_missing();
    decide(fooled);
  }

  // Results within their bounds that lean to one side: a directed rounding, or a biased constant.
  void note_bias() {
    struct Lean {
      double sum = 0;
      int64_t elements = 0;
    };
    std::map<std::string, Lean> leans;
    for (const ProblemResult& result : report_.results) {
      if (result.verdict != Verdict::kPassed) continue;
      for (const Comparison& comparison : result.outputs) {
        Lean& lean = leans[fmt::format("{} of column {}", comparison.output,
                                       contract_.column_name(result.problem.column))];
        const auto elements = static_cast<double>(comparison.inexact);
        lean.sum += comparison.bias * elements;
        lean.elements += comparison.inexact;
      }
    }
    for (const auto& [key, lean] : leans) {
      const double mean = lean.elements > 0 ? lean.sum / static_cast<double>(lean.elements) : 0;
      if (lean.elements < kEnoughForBias || std::abs(mean) < kNotableBias) continue;
      report_.notes.push_back(
          fmt::format("{}: results that need rounding are {:.2f} ulps too {} on average: is a "
                      "rounding directed?",
                      key, std::abs(mean), mean > 0 ? "high" : "low"));
    }
  }

  // A kernel without computation that no problem of a column tells from the real one.
  std::string trivial_kernels() {
    std::map<std::string, std::set<std::string>> common;  // by column and output
    std::set<std::string> seen;
    for (const ProblemResult& result : report_.results) {
      if (result.verdict != Verdict::kPassed && result.verdict != Verdict::kMistrusted) continue;
      for (const Comparison& comparison : result.outputs) {
        if (comparison.elements == 0) continue;
        const std::string key = fmt::format("{} of column {}", comparison.output,
                                            contract_.column_name(result.problem.column));
        const std::set<std::string> now(comparison.trivial.begin(), comparison.trivial.end());
        if (seen.insert(key).second) {
          common[key] = now;
          continue;
        }
        std::erase_if(common[key], [&](const std::string& name) { return now.count(name) == 0; });
      }
    }
    std::string first;
    for (const auto& [key, names] : common) {
      for (const std::string& name : names) {
        report_.notes.push_back(
            fmt::format("{}: a kernel that writes {} would pass every problem", key, name));
        if (first.empty()) first = report_.notes.back();
      }
    }
    return first;
  }

  void find_missing() {
    if (!request_.line.empty() || request_.shards > 1) return;
    std::vector<std::string> required = required_labels(contract_, report_.socs);
    for (const uint64_t key : request_.executor->tiling_keys()) {
      const std::string label = fmt::format("tiling key {}", key);
      if (std::find(required.begin(), required.end(), label) == required.end())
        required.push_back(label);
    }
    for (const std::string& label : required) {
      if (report_.coverage.labels.count(label) == 0) report_.coverage.missing.push_back(label);
    }
  }

  void decide(const std::string& fooled) {
    const auto set = [&](Verdict verdict, std::string reason) {
      report_.verdict = verdict;
      report_.reason = std::move(reason);
    };
    const auto key =
        std::find_if(report_.coverage.missing.begin(), report_.coverage.missing.end(),
                     [](const std::string& label) { return label.rfind("tiling key", 0) == 0; });
    if (report_.counts[Verdict::kFailed] > 0)
      return set(Verdict::kFailed,
                 fmt::format("{} problems failed", report_.counts[Verdict::kFailed]));
    if (key != report_.coverage.missing.end())
      return set(Verdict::kFailed, "no problem reached " + *key);
    if (report_.counts[Verdict::kPassed] + report_.counts[Verdict::kMistrusted] == 0)
      return set(Verdict::kUnimplemented, first_reason());
    if (!fooled.empty() && request_.line.empty()) return set(Verdict::kMistrusted, fooled);
    if (report_.counts[Verdict::kPassed] == 0) return set(Verdict::kMistrusted, first_reason());
  }

  std::string first_reason() const {
    for (const ProblemResult& result : report_.results) {
      if (result.verdict != Verdict::kPassed && result.verdict != Verdict::kRefused)
        return result.reason;
    }
    return "no problem was run";
  }

  const TestRequest& request_;
  const OpContract& contract_;
  Progress& progress_;
  TestReport report_;
  std::optional<ResultsStore> store_;
  size_t failed_ = 0;
};

}  // namespace

Result<TestReport> run_tests(const TestRequest& request, Progress& progress) {
  if (request.shards == 0 || request.shard >= request.shards)
    return Error("OPK-VERIFY-012",
                 fmt::format("shard {} of {} does not exist", request.shard, request.shards),
                 "count shards from 0");
  return Run(request, progress).run();
}

}  // namespace opkit::verify
