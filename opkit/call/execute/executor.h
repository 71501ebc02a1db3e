// Executor: what runs ops. InProcess drives a loaded plugin on the emulated chip in this process,
// isolation::OutOfProcess one in a process of its own; tests use ones that are wrong on purpose.
// Nothing that crosses the interface lives in the plugin's memory but a plan's tables and addresses
// of code, which only the executor that made them follows, so that another one may run the plugin
// in a process of its own.
#ifndef OPKIT_CALL_EXECUTE_EXECUTOR_H_
#define OPKIT_CALL_EXECUTE_EXECUTOR_H_

#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "opkit/call/execute/invocation.h"
#include "opkit/call/execute/kernel_lines.h"
#include "opkit/call/execute/question.h"
#include "opkit/call/plan/placed_call.h"

namespace opkit {

class Executor {
 public:
  virtual ~Executor() = default;
  // Returns an Error when the call is refused or the kernel is at fault.
  virtual Result<Execution> run(Invocation invocation) = 0;
  // Tells whether the rest can be asked: a function in place of a kernel has no tiling.
  virtual bool covers() const { return false; }
  // Binds, infers and tiles once for many runs. Errors: plan_call's, find_soc's.
  virtual Result<SharedPlan> plan(const OpContract& contract, const std::string& soc,
                                  const CallFacts& facts);
  // Runs the invocation under a mode. An Error when the call is refused before its launch.
  virtual Result<Observation> watch(Invocation invocation, const WatchOptions& options);
  // Watches one launch on tensors that the caller has placed, as their formats store them. The
  // observation has no execution. An Error when there is no answer. REQUIRES: this executor planned
  // the call.
  virtual Result<Observation> watch_placed(PlacedCall& call, const WatchOptions& options,
                                           unsigned threads);
  // Launches once for the question; see question.h for who asks what. `call`: its plan and schedule
  // seed; tensors only where needs_tensors(question).
  virtual Result<QuestionAnswer> observe(const Question& question, Invocation call);
  // Finds lines of the code that runs now; a worker that starts later has other addresses.
  virtual FindLine lines() const;

  // Each of these asks one question by observe().
  //
  // Watches without tensors; see launch_dry. An Error, too, when what the kernel does depends on
  // data (OPK-DRY-001).
  Result<Observation> watch_dry(SharedPlan plan, const WatchOptions& options,
                                uint64_t schedule_seed = 0);
  // Says whether the output may lie where the input lies; see takes_in_place.
  Result<bool> takes_in_place(SharedPlan plan, InPlace pair);
  // Returns the plan's modelled time; see modelled_cost.
  Result<PlanCost> cost(SharedPlan plan, const CostOptions& options = {});
  // Returns an Error when the call is refused before its launch. `computed`: see core::DryAnswer.
  // CoverKind::kReal runs on `inputs`.
  Result<CoverRun> cover(SharedPlan plan, CoverKind kind, core::DryAnswer computed,
                         Ports inputs = {});
  // Returns sentences that say which instructions of the call last wrote an element of an output,
  // oldest first; none when the executor cannot tell.
  std::vector<std::string> writers_of(Invocation invocation, size_t port, size_t tensor,
                                      int64_t element);

  // Lets the op forget earlier calls: what it keeps in variables of its own is as after loading.
  // False: it cannot be made to.
  virtual bool forget() { return false; }
  // As forget(), and from then on tiling functions are watched for what they leave alone in plain
  // structs of tiling data (TilingPlan, unset_fields), or, with false, no more.
  virtual bool watch_unset(bool /*watched*/) { return false; }
  // Tiling keys that kernels were built for by name, in that column or in any; each must be
  // reached.
  virtual std::set<uint64_t> tiling_keys(std::optional<size_t> /*column*/ = {}) const { return {}; }
  // Identifies what is run: the digest of the plugin's library, or a name.
  virtual std::string digest() const = 0;
};

}  // namespace opkit

#endif  // OPKIT_CALL_EXECUTE_EXECUTOR_H_
