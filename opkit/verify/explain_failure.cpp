#include "opkit/verify/explain_failure.h"

#include <fmt/format.h>

#include <limits>

#include "opkit/verify/earlier_calls.h"
#include "opkit/verify/judge.h"
#include "opkit/verify/problem/domain.h"
#include "opkit/verify/proof/prove.h"
#include "opkit/verify/proof/proved_result.h"
#include "opkit/verify/shrink.h"

namespace opkit::verify {
namespace {

constexpr const char* kOtherBits = "OPK-VERIFY-021";  // says that runs of the same call differ
constexpr const char* kWrongValues = "OPK-VERIFY-022";
constexpr const char* kDependOnPlaces = "OPK-VERIFY-027";
constexpr const char* kTooLarge = "EK1101";  // a buffer does not fit on chip
constexpr int kMostTries = 300, kMostSlowTries = 12;

// Tells whether a code says that something is wrong, not why.
bool is_symptom(const std::string& code) {
  return code == kOtherBits || code == kWrongValues || code == kDependOnPlaces;
}

// What the engine has refused or seen.
bool is_cause(const std::string& code) { return code.rfind("EK", 0) == 0; }

class Explanation {
 public:
  Explanation(const OpContract& contract, Executor& executor, const ProblemResult& found,
              const std::function<bool()>& cancelled, int schedules)
      : contract_(contract),
        executor_(executor),
        found_(found),
        code_(found.code),
        cancelled_(cancelled),
        schedules_(schedules) {}

  Failure shrunk() {
    const auto fails = [&](const Problem& candidate) {
      return !cancelled_() && is_of_kind(judged_alone(candidate));
    };
    const Shrunk shrunk = shrink(contract_, found_.problem, fails,
                                 has_cause(code_, Cause::kTooSlow) ? kMostSlowTries : kMostTries);
    Failure failure{found_, judged_alone(shrunk.problem), shrunk.tried, {}, {}, {}};
    failure.smallest.origin = "shrunk";
    if (failure.smallest.verdict != Verdict::kFailed) failure.smallest = found_;
    if (failure.smallest.code == kTooLarge) tell_what_fits(failure.smallest);
    return failure;
  }

  // A problem that passes when nothing was asked before it has no smaller one: what a candidate
  // did would depend on the candidate before.
  std::optional<Failure> misled(const std::vector<const Problem*>& earlier) {
    const Judge judge_again = [this](const Problem& problem) { return judged(problem); };
    if (has_cause(code_, Cause::kTooSlow) || cancelled_() ||
        !passes_alone(executor_, found_.problem, judge_again))
      return std::nullopt;
    Failure failure{found_, found_, 0, {}, {}, {}};
    failure.smallest.code = kOtherBits;
    const auto by = misled_by(contract_, executor_, earlier, found_.problem, judge_again);
    if (by) failure.after = to_line(contract_, *by);
    failure.smallest.reason = fmt::format(
        "the op depends on earlier calls: in a new worker this call passes{}: look for static "
        "variables of the host's functions. It failed with: {}",
        by ? ", and fails when the other call's tiling is asked for first" : "", found_.reason);
    return failure;
  }

 private:
  // Goes on from a symptom to the first cause that a smaller problem shows.
  bool is_of_kind(const ProblemResult& result) {
    if (result.verdict != Verdict::kFailed) return false;
    if (is_symptom(code_) && is_cause(result.code)) code_ = result.code;
    return result.code == code_;
  }

  ProblemResult judged(const Problem& candidate) {
    return is_of_tiling(found_) ? judge_tiling(contract_, executor_, candidate)
                                : judge(contract_, executor_, candidate, {{}, schedules_, nullptr});
  }

  ProblemResult judged_alone(const Problem& candidate) {
    if (code_ == kOtherBits) make_another_call(candidate);
    return judged(candidate);
  }

  // What a kernel remembers of earlier calls must come from another call, not from the last
  // candidate.
  void make_another_call(const Problem& candidate) {
    Problem other = candidate;
    const auto defaults = contract_.complete({});
    if (defaults.ok()) other.attrs = *defaults;
    ++other.seed;
    judge(contract_, executor_, other);
  }

  // The neighbours of the smallest shape that does not fit.
  void tell_what_fits(ProblemResult& smallest) {
    for (const auto& [symbol, dim] : smallest.problem.symbols.dims) {
      if (dim <= 1) continue;
      Problem candidate = smallest.problem;
      candidate.symbols.dims[symbol] = dim - 1;
      tell_if_it_fits(smallest, symbol, candidate, dim - 1);
    }
    for (const auto& [symbol, dims] : smallest.problem.symbols.lists) {
      if (dims.size() != 1 || dims[0] <= 1) continue;
      Problem candidate = smallest.problem;
      candidate.symbols.lists[symbol] = {dims[0] - 1};
      tell_if_it_fits(smallest, symbol, candidate, dims[0] - 1);
    }
  }

  void tell_if_it_fits(ProblemResult& smallest, const std::string& symbol, const Problem& candidate,
                       int64_t size) {
    const Domain domain(contract_, std::numeric_limits<int64_t>::max() / 4);
    if (domain.accepts(candidate.symbols, candidate.attrs) &&
        judged(candidate).verdict != Verdict::kFailed)
      smallest.reason += fmt::format("; with {}={} it fits", symbol, size);
  }

  const OpContract& contract_;
  Executor& executor_;
  const ProblemResult& found_;
  std::string code_;  // is the code of the failures that count
  const std::function<bool()>& cancelled_;
  const int schedules_;
};

}  // namespace

bool is_of_a_problem(const ProblemResult& result) {
  for (const char* other : {"error ", "golden ", "spelling "}) {
    if (result.origin.rfind(other, 0) == 0) return false;
  }
  return true;
}
bool is_of_tiling(const ProblemResult& result) { return result.origin.rfind("tiling, ", 0) == 0; }

Failure explain_failure(const OpContract& contract, Executor& executor, const ProblemResult& found,
                        const std::vector<const Problem*>& earlier,
                        const std::function<bool()>& cancelled, int schedules) {
  Explanation explanation(contract, executor, found, cancelled, schedules);
  if (auto misled = explanation.misled(earlier)) return *std::move(misled);
  return explanation.shrunk();
}

std::vector<std::string> trace_of(const OpContract& contract, Executor& executor,
                                  const ProblemResult& failed) {
  const auto place = wrong_place(contract, failed);
  if (!place) return {};
  auto inputs = make_inputs(contract, failed.problem);
  if (!inputs.ok()) return {};
  std::vector<std::string> told{fmt::format("{}[{}] is wrong", place->comparison->output,
                                            fmt::join(place->element->index, ", "))};
  Invocation call;
  call.contract = &contract;
  call.soc = failed.problem.soc;
  call.inputs = std::move(inputs).value();
  call.attrs = failed.problem.attrs;
  call.threads = failed.problem.threads;
  for (std::string& line :
       executor.writers_of(std::move(call), place->port, place->tensor, place->element->element))
    told.push_back(std::move(line));
  return told;
}

}  // namespace opkit::verify
