#include "opkit/verify/earlier_calls.h"

#include "opkit/verify/problem_inputs.h"

namespace opkit::verify {
namespace {

constexpr int kTimesAlone = 3;  // a failure by chance fails again in one of them
constexpr size_t kFirst = 256, kLast = 768;

}  // namespace

void AskedCalls::add(const Problem& problem) {
  if (first_.size() < kFirst) return first_.push_back(problem);
  last_.push_back(problem);
  if (last_.size() > kLast) last_.pop_front();
}

std::vector<const Problem*> AskedCalls::all() const {
  std::vector<const Problem*> calls;
  for (const Problem& problem : first_) calls.push_back(&problem);
  for (const Problem& problem : last_) calls.push_back(&problem);
  return calls;
}

void ask_for_tiling(const OpContract& contract, Executor& executor, const Problem& problem) {
  const auto call = make_facts(contract, problem);
  if (call.ok()) static_cast<void>(executor.plan(contract, problem.soc, call->facts));
}

bool passes_alone(Executor& executor, const Problem& failed, const Judge& judged) {
  for (int i = 0; i < kTimesAlone; ++i) {
    if (!executor.forget() || judged(failed).verdict == Verdict::kFailed) return false;
  }
  return true;
}

// Tries the problem behind the last ones of the earlier calls, by halves; then behind the first of
// these alone.
std::optional<Problem> misled_by(const OpContract& contract, Executor& executor,
                                 const std::vector<const Problem*>& earlier, const Problem& failed,
                                 const Judge& judged) {
  const auto fails_behind = [&](size_t first, size_t end) {
    if (!executor.forget()) return false;
    for (size_t i = first; i < end; ++i) ask_for_tiling(contract, executor, *earlier[i]);
    return judged(failed).verdict == Verdict::kFailed;
  };
  if (earlier.empty() || !fails_behind(0, earlier.size())) return std::nullopt;
  size_t fails = 0, passes = earlier.size();
  while (passes - fails > 1) {
    const size_t middle = fails + (passes - fails) / 2;
    (fails_behind(middle, earlier.size()) ? fails : passes) = middle;
  }
  if (!fails_behind(fails, fails + 1)) return std::nullopt;
  return *earlier[fails];
}

}  // namespace opkit::verify
