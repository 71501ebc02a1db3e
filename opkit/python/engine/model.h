// An offline model, loaded for calls from Python.
#ifndef OPKIT_PYTHON_ENGINE_MODEL_H_
#define OPKIT_PYTHON_ENGINE_MODEL_H_

#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "opkit/model/run/model_runner.h"
#include "opkit/python/engine/arrays.h"

namespace opkit::python {

class PythonModel {
 public:
  static Result<std::unique_ptr<PythonModel>> open(const std::string& file,
                                                   const std::optional<std::string>& opp,
                                                   unsigned threads, bool in_process);
  const model::OfflineModel& offline() const { return runner_->model(); }
  // Inputs and outputs in the model's order. One call at a time: others wait. REQUIRES: Python's
  // lock is held; it is released while the model runs.
  Result<std::vector<Given>> run(const std::vector<Given>& inputs);

 private:
  explicit PythonModel(InstalledOps ops) : ops_(std::move(ops)) {}
  Result<std::vector<Tensor>> execute(const std::vector<Tensor>& inputs);

  InstalledOps ops_;
  std::optional<model_run::ModelRunner> runner_;
  std::mutex running_;
};

void add_models(py::module_& module);

}  // namespace opkit::python

#endif  // OPKIT_PYTHON_ENGINE_MODEL_H_
