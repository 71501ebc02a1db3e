// Models: what a program has loaded, by number.
#ifndef OPKIT_ACL_MODELS_MODEL_H_
#define OPKIT_ACL_MODELS_MODEL_H_

#include <chrono>
#include <map>
#include <memory>
#include <mutex>
#include <optional>

#include "opkit/acl/device/device.h"
#include "opkit/acl/models/dump.h"
#include "opkit/acl/models/model_desc.h"
#include "opkit/model/run/model_runner.h"

namespace opkit::acl {

// Memory that the program lends; nullptr: the device's is taken.
struct ProgramMemory {
  void* work = nullptr;
  size_t work_bytes = 0;
  void* weights = nullptr;
  size_t weight_bytes = 0;
};

struct Context;

class Model {
 public:
  // ACL_SUCCESS, or a code; then nothing of the model is left.
  static aclError load(EmulatedDevice& device, model::OfflineModel offline,
                       const ProgramMemory& lent, std::shared_ptr<Model>& loaded);
  ~Model();
  Model(const Model&) = delete;
  Model& operator=(const Model&) = delete;

  // Addresses by input, without the one for the gear, and output. One run at a time; others wait.
  // REQUIRES: check_memory() succeeds.
  Status run(const std::vector<const std::byte*>& inputs, const std::vector<std::byte*>& outputs,
             size_t gear);

  // The graph's.
  const std::string& name() const { return runner_->model().name; }
  // Returns another code than ACL_SUCCESS when memory that the program lent to the model has been
  // freed.
  aclError check_memory() const;

  std::shared_ptr<const ModelEnds> ends;
  std::optional<ModelDump> dump;     // none: it was loaded when nothing was to be dumped of it
  uint32_t id = 0;                   // once it is among the models
  const Context* context = nullptr;  // is the context of the thread that loaded the model

 private:
  explicit Model(EmulatedDevice& device) : device_(device) {}
  aclError take_memory(const model_run::ModelMemory& wanted, const ProgramMemory& lent);
  aclError start(model::OfflineModel offline);
  Status launch(PlacedCall& call);
  void tell(const model_run::RunTimes& times, size_t gear,
            std::chrono::steady_clock::time_point at) const;
  void tell_steps(const model_run::RunTimes& times, size_t gear,
                  std::chrono::steady_clock::time_point at) const;
  void tell_subscriber(const model_run::RunTimes& times, size_t gear,
                       std::chrono::steady_clock::time_point at) const;

  EmulatedDevice& device_;
  void *work_ = nullptr, *weights_ = nullptr;
  void *own_work_ = nullptr, *own_weights_ = nullptr;
  model_run::ModelMemory wanted_;
  std::optional<InstalledOps> ops_;
  std::optional<model_run::ModelRunner> runner_;
  std::mutex running_;
  uint64_t runs_ = 0;
};

class Models {
 public:
  uint32_t add(std::shared_ptr<Model> model);
  // nullptr: no such model is loaded.
  std::shared_ptr<Model> find(uint32_t id) const;
  bool remove(uint32_t id) { return models_.erase(id) == 1; }
  size_t size() const { return models_.size(); }

 private:
  std::map<uint32_t, std::shared_ptr<Model>> models_;
  uint32_t next_ = 1;
};

aclError no_model(uint32_t id);

// Is the code for a wrong kernel within a model.
inline constexpr const char* kWrongKernel = "OPK-ACLNN-004";

// Returns those that the program has, made on first use and never destroyed. REQUIRES: the lock is
// held.
Models& models();

}  // namespace opkit::acl

#endif  // OPKIT_ACL_MODELS_MODEL_H_
