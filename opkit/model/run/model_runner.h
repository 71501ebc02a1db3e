// ModelRunner: an offline model, loaded: plugins found and compared, memory taken, calls placed at
// the addresses of the model's plan.
#ifndef OPKIT_MODEL_RUN_MODEL_RUNNER_H_
#define OPKIT_MODEL_RUN_MODEL_RUNNER_H_

#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "opkit/base/tensor.h"
#include "opkit/call/execute/installed_ops.h"
#include "opkit/call/plan/placed_call.h"
#include "opkit/model/file/offline_model.h"
#include "opkit/model/run/model_memory.h"

namespace opkit::model_run {

// What a runner takes of its surroundings instead of its own. The memory has the bytes that
// memory_of says, lies at a multiple of 64, and stays while the runner lives.
struct Lent {
  std::byte* weights = nullptr;
  std::byte* work = nullptr;
  // In place of the executor that planned the call.
  std::function<Status(PlacedCall&, Executor&)> launch;
};

// A step that ran: of the gear's plan, or in an iteration of a body.
struct RanStep {
  uint32_t body = model::kNoBody;
  uint64_t iteration = 0;
  uint32_t step = 0;
  uint64_t own = 0;  // nanoseconds, without the steps of bodies
};

// One run on this host's clock, in nanoseconds. Of a step that launches a kernel: the emulation's,
// without what takes tensors to a plugin in another process and back.
struct RunTimes {
  uint64_t copied_in = 0, copied_out = 0;  // inputs to the model's memory, outputs from it
  std::vector<uint64_t> steps;  // holds the times of the gear's steps, the steps of bodies included
  std::vector<RanStep> ran;     // keeps the order in which they began
};

// A tensor of a step, as the model's author sees it, and its bytes, as its format stores them.
struct SeenTensor {
  const model::ModelTensor* tensor = nullptr;
  const std::byte* at = nullptr;
};
// The step that runs, and which run of its plan it belongs to.
struct SeenStep {
  const model::Step& step;
  size_t number = 0;               // is the place in its plan
  uint32_t body = model::kNoBody;  // which is the gear's, or this one
  uint64_t iteration = 0;          // numbers the run of the body
};
// Looks at the tensors that a step is about to read, and at those that it has written. Its error is
// the run's.
using StepWatch = std::function<Status(const SeenStep& step, const std::vector<SeenTensor>& tensors,
                                       bool written)>;

class ModelRunner {
 public:
  // Loads nothing of the file again. `ops` and its plugins, which run as it says, must outlive the
  // runner. `threads`: of the host; 0: one per core; without meaning when launches are lent.
  // Errors: OPK-OM-005 a plugin that is not installed, or not the one that the model was made with;
  // OPK-OM-006 more memory than the chip has; those of plans.
  static Result<ModelRunner> load(model::OfflineModel model, const InstalledOps& ops,
                                  unsigned threads = 0, Lent lent = {});

  const model::OfflineModel& model() const;
  // Returns the outputs in order. `inputs` in order, dense; their dims choose the gear. Each call
  // starts with the same weights. Errors: OPK-OM-007 an input of another dtype, or dims that no
  // gear has; a kernel's fault, with the step's name.
  Result<std::vector<Tensor>> run(const std::vector<Tensor>& inputs, RunTimes* times = nullptr,
                                  const StepWatch& watch = {});
  // Runs on memory of the caller, which holds as many bytes as the gear's tensors. REQUIRES:
  // one address for each input and output.
  Status run(std::span<const std::byte* const> inputs, std::span<std::byte* const> outputs,
             size_t gear = 0, RunTimes* times = nullptr, const StepWatch& watch = {});

  ModelRunner(ModelRunner&&) noexcept;
  ~ModelRunner();

 private:
  struct State;
  explicit ModelRunner(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace opkit::model_run

#endif  // OPKIT_MODEL_RUN_MODEL_RUNNER_H_
