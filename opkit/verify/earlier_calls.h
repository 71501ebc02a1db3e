// Failures that only happen behind other calls: an op keeps something that a call before has left.
#ifndef OPKIT_VERIFY_EARLIER_CALLS_H_
#define OPKIT_VERIFY_EARLIER_CALLS_H_

#include <deque>
#include <functional>
#include <optional>
#include <vector>

#include "opkit/call/execute/executor.h"
#include "opkit/verify/verdict.h"

namespace opkit::verify {

using Judge = std::function<ProblemResult(const Problem&)>;

// Tells whether the failed problem passes when the op has forgotten all earlier calls. False, too,
// where the executor cannot make it forget.
bool passes_alone(Executor& executor, const Problem& failed, const Judge& judged);

// Returns the one problem of `earlier` whose tiling must be asked for first to make `failed` fail
// again, the others forgotten; nothing when that is not what makes it fail. REQUIRES:
// passes_alone().
std::optional<Problem> misled_by(const OpContract& contract, Executor& executor,
                                 const std::vector<const Problem*>& earlier, const Problem& failed,
                                 const Judge& judged);

// The calls of a run whose tilings were asked for, in their order: of many the first and the last.
class AskedCalls {
 public:
  void add(const Problem& problem);
  std::vector<const Problem*> all() const;

 private:
  std::vector<Problem> first_;
  std::deque<Problem> last_;
};

// Asks for the tiling of a problem's call, and drops the answer.
void ask_for_tiling(const OpContract& contract, Executor& executor, const Problem& problem);

}  // namespace opkit::verify

#endif  // OPKIT_VERIFY_EARLIER_CALLS_H_
