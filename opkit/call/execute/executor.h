// Executor: what runs ops. InProcess drives a loaded plugin on the emulated chip in this process,
// isolation::OutOfProcess one in a process of its own; tests use ones that are wrong on purpose.
// Nothing that crosses the interface lives in the plugin's memory but a plan's tables and addresses
// of code, which only the executor that made them follows, so that another one may run the plugin
// in a process of its own.
#ifndef OPKIT_CALL_EXECUTE_EXECUTOR_H_
#define OPKIT_CALL_EXECUTE_EXECUTOR_H_

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "opkit/base/debug/source_line.h"
#include "opkit/call/execute/question.h"
#include "opkit/call/plan/call_plan.h"
#include "opkit/call/plan/placed_call.h"

namespace opkit {

// The tensors of each port: one when required, at most one when optional, any number when dynamic.
using Ports = std::vector<PortTensors>;

// As the model's author sees them: dense, whatever their format (see StorageLayout). Executors lay
// them out for the kernel, and outputs back.
struct Invocation {
  const OpContract* contract = nullptr;
  std::string soc;  // full name
  Ports inputs;     // formats and dtypes as the caller says, legal or not
  // Gives inputs that are addresses alone (Tensor::reserved) their values, every element, once they
  // have memory. Unless the host reads the input; absent: no input is such.
  std::function<void(size_t port, size_t tensor, Tensor& blank)> fill;
  AttrValues attrs;
  SaidOutputs output_shapes;  // see CallFacts
  Ports initial_outputs;      // per output port what it starts from; none: poison
  unsigned threads = 1;       // of the host; 0: one per core
  bool checked = false;       // run(): with the engine's checks of queues, pipes and races
  // Not 0: under a legal schedule other than program order (core::LaunchRequest). A correct kernel
  // gives the same bits under every seed.
  uint64_t schedule_seed = 0;
  // What plan() made of such a call; absent: it is planned now. Tensors of other shapes are
  // refused.
  SharedPlan plan;
};

struct Execution {
  Ports outputs;  // poisoned before the launch
  Ports inputs;   // as the launch left them
  // Hold the padding of each tensor; empty: no tensor of the call has padding.
  std::vector<std::vector<Padding>> input_padding, output_padding;
  size_t column = 0;
  uint64_t tiling_key = 0;
  uint32_t block_dim = 0;
  std::vector<std::byte> tiling_data;
  std::vector<uint64_t> workspaces;  // bytes
};

// A launch and what its mode saw.
struct Observation {
  Execution execution;  // what the launch left, however it ended; without tensors of a dry launch
  Watched watched;
  core::PlaceNames places;  // source lines of what was seen
  double seconds = 0;       // of this machine, poisoning left out
};

// Which bytes of the outputs a call's launch writes.
struct CoverRun : CoverLaunch {
  SharedPlan plan;
  // Returns the source line of a fault, "op_kernel/add.cpp:48", or empty.
  std::function<std::string(const void*)> place;
};

// Finds the source line of a return address of the kernel's code. Keeps what it needs alive.
using FindLine = std::function<std::optional<debug::SourceLine>(const void*)>;

class Executor {
 public:
  virtual ~Executor() = default;
  // An Error when the call is refused or the kernel is at fault.
  virtual Result<Execution> run(Invocation invocation) = 0;
  // Whether the rest can be asked: a function in place of a kernel has no tiling.
  virtual bool covers() const { return false; }
  // Binds, infers and tiles once for many runs. Errors: plan_call's, find_soc's.
  virtual Result<SharedPlan> plan(const OpContract& contract, const std::string& soc,
                                  const CallFacts& facts);
  // The invocation under a mode. An Error when the call is refused before its launch.
  virtual Result<Observation> watch(Invocation invocation, const WatchOptions& options);
  // One launch on tensors that the caller has placed, as their formats store them. The observation
  // has no execution. An Error when there is no answer. REQUIRES: this executor planned the call.
  virtual Result<Observation> watch_placed(PlacedCall& call, const WatchOptions& options,
                                           unsigned threads);
  // Launches once for the question; see question.h for who asks what. `call`: its plan and schedule
  // seed; tensors only where needs_tensors(question).
  virtual Result<Answer> observe(const Question& question, Invocation call);
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
  // An Error when the call is refused before its launch. `computed`: see core::DryAnswer. `inputs`:
  // of kReal.
  Result<CoverRun> cover(SharedPlan plan, CoverKind kind, core::DryAnswer computed,
                         Ports inputs = {});
  // Returns sentences that say which instructions of the call last wrote an element of an output,
  // oldest first; none when the executor cannot tell.
  std::vector<std::string> writers_of(Invocation invocation, size_t port, size_t tensor,
                                      int64_t element);

  // Lets the op forget earlier calls: what it keeps in variables of its own is as after loading.
  // False: it cannot be made to.
  virtual bool forget() { return false; }
  // Tiling keys that kernels were built for by name, in that column or in any; each must be
  // reached.
  virtual std::set<uint64_t> tiling_keys(std::optional<size_t> /*column*/ = {}) const { return {}; }
  // Identifies what is run: the digest of the plugin's library, or a name.
  virtual std::string digest() const = 0;
};

}  // namespace opkit

#endif  // OPKIT_CALL_EXECUTE_EXECUTOR_H_
