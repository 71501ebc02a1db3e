// ModelRunner: an offline model, loaded: plugins found and compared, memory taken, calls placed at
// the addresses of the model's plan.
#ifndef OPKIT_MODEL_RUN_MODEL_RUNNER_H_
#define OPKIT_MODEL_RUN_MODEL_RUNNER_H_

#include <memory>
#include <vector>

#include "opkit/base/tensor.h"
#include "opkit/execute/installed_ops.h"
#include "opkit/model/offline_model.h"

namespace opkit::model_run {

class ModelRunner {
 public:
  // Loads nothing of the file again. `ops` and its plugins must outlive the runner. `threads`: of
  // the host; 0: one per core. Errors: OPK-OM-005 a plugin that is not installed, or not the one
  // that the model was made with; OPK-OM-006 more memory than the chip has; those of plans.
  static Result<ModelRunner> load(model::OfflineModel model, const InstalledOps& ops,
                                  unsigned threads = 0);

  const model::OfflineModel& model() const;
  // The outputs in order. `inputs` in order, dense. Each call starts with the same weights. Errors:
  // OPK-OM-007 an input of another dtype or shape; a kernel's fault, with the step's name.
  Result<std::vector<Tensor>> run(const std::vector<Tensor>& inputs);

  ModelRunner(ModelRunner&&) noexcept;
  ~ModelRunner();

 private:
  struct State;
  explicit ModelRunner(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace opkit::model_run

#endif  // OPKIT_MODEL_RUN_MODEL_RUNNER_H_
