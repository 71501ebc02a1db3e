// Dumps: what aclmdlSetDump asks for. ModelDump: what of one model is written while it runs.
#ifndef OPKIT_ACL_MODELS_DUMP_H_
#define OPKIT_ACL_MODELS_DUMP_H_

#include <atomic>
#include <filesystem>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "acl/acl_mdl.h"
#include "opkit/model/run/model_runner.h"

namespace opkit::acl {

struct DumpTarget {
  std::string model;                // empty: every model
  std::vector<std::string> layers;  // empty: every step
};

// A configuration, as long as models that were loaded under it live.
struct DumpSession {
  std::filesystem::path folder;
  bool inputs = false, outputs = true;
  std::vector<DumpTarget> targets;
  std::atomic<bool> over{false};  // aclmdlFinalizeDump came
};

// 0 and the configuration, or a code.
aclError read_dump_config(const char* path, std::shared_ptr<DumpSession>& session);

// The op of a step, or what else it is; ops: of the model's plugins.
std::string op_of_step(const model::Step& step, const std::vector<std::string>& ops);

class ModelDump {
 public:
  ModelDump(std::shared_ptr<const DumpSession> session, const model::OfflineModel& model,
            std::string name, std::set<std::string> layers);

  // Returns what watches run `run` of model `id`. None: nothing is dumped any more.
  model_run::StepWatch watch(uint32_t id, uint64_t run) const;

 private:
  bool wants(const model::Step& step) const;
  std::string stem(const model::Step& step, size_t number) const;
  Status write(const std::filesystem::path& folder, const std::string& stem,
               const std::vector<model_run::SeenTensor>& tensors, const char* side) const;

  std::shared_ptr<const DumpSession> session_;
  std::vector<std::string> ops_;  // names the ops of the model's plugins
  std::string name_;
  std::set<std::string> layers_;  // empty: all
};

// REQUIRES: the runtime's lock is held.
class Dumps {
 public:
  aclError begin();
  aclError set(const char* path);
  aclError end();
  // What is dumped of a model that is being loaded; none: nothing. file: its name without suffix.
  aclError choose(const model::OfflineModel& model, const std::string& file,
                  std::optional<ModelDump>& dump) const;

 private:
  bool begun_ = false;
  std::shared_ptr<DumpSession> session_;  // nullptr: not set yet
};

// Returns those that the program has, made on first use and never destroyed. REQUIRES: the lock is
// held.
Dumps& dumps();

}  // namespace opkit::acl

#endif  // OPKIT_ACL_MODELS_DUMP_H_
