#include "opkit/acl/models/dump.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <ctime>

#include "opkit/acl/base/lock.h"
#include "opkit/base/npy.h"
#include "opkit/call/layout/storage_layout.h"

namespace opkit::acl {
namespace {

constexpr size_t kLongestName = 160;  // limits the bytes of a step's name within a file's name

// Returns the names of the model's nodes that a step stands for: "conv1+relu1" has two.
std::vector<std::string> nodes_of(const std::string& step) {
  std::vector<std::string> names;
  for (size_t from = 0; from <= step.size();) {
    const size_t end = std::min(step.find('+', from), step.size());
    names.push_back(step.substr(from, end - from));
    from = end + 1;
  }
  return names;
}

std::string file_name_of(std::string name) {
  if (name.size() > kLongestName) name.resize(kLongestName);
  std::replace_if(
      name.begin(), name.end(), [](char c) { return c == '/' || c == '\\' || c == '.'; }, '_');
  return name;
}

bool has_layer(const model::Plan& plan, const std::string& layer) {
  return std::any_of(plan.steps.begin(), plan.steps.end(), [&](const model::Step& step) {
    const std::vector<std::string> nodes = nodes_of(step.name);
    return step.name == layer || std::find(nodes.begin(), nodes.end(), layer) != nodes.end();
  });
}

bool has_layer(const model::OfflineModel& model, const std::string& layer) {
  for (size_t g = 0; g < model.plan_count(); ++g) {
    if (has_layer(model.plan(g), layer)) return true;
  }
  return std::any_of(model.bodies.begin(), model.bodies.end(),
                     [&](const model::Body& body) { return has_layer(body, layer); });
}

// Dense, in the dims of the model's author.
Result<Tensor> dense(const model_run::SeenTensor& seen) {
  const TensorDesc& desc = seen.tensor->desc;
  OPKIT_TRY(const StorageLayout layout, StorageLayout::of(desc.format, desc.dtype, desc.shape));
  Tensor stored(desc.dtype, layout.storage(), desc.name);
  std::memcpy(stored.data(), seen.at, stored.size_bytes());
  if (layout.dense()) return stored;
  return layout.to_origin(stored);
}

Status make_folders(const std::filesystem::path& folder) {
  std::error_code failed;
  std::filesystem::create_directories(folder, failed);
  if (!failed) return {};
  return Error("OPK-FILE-004", "a dump cannot make the folder " + folder.string(),
               "give dump_path a folder that can be written");
}

aclError not_begun_dump(const char* call) {
  return fail(ACL_ERROR_DUMP_NOT_RUN, "%s: call aclmdlInitDump first", call);
}

}  // namespace

ModelDump::ModelDump(std::shared_ptr<const DumpSession> session, const model::OfflineModel& model,
                     std::string name, std::set<std::string> layers)
    : session_(std::move(session)), name_(std::move(name)), layers_(std::move(layers)) {
  for (const model::PluginId& plugin : model.plugins) ops_.push_back(plugin.op);
}

bool ModelDump::wants(const model::Step& step) const {
  if (layers_.empty() || layers_.count(step.name)) return true;
  const std::vector<std::string> nodes = nodes_of(step.name);
  return std::any_of(nodes.begin(), nodes.end(),
                     [&](const std::string& node) { return layers_.count(node) != 0; });
}

std::string op_of_step(const model::Step& step, const std::vector<std::string>& ops) {
  if (model::asks_plugin(step.kind)) return ops[step.plugin];
  const bool named = step.kind == model::StepKind::kHost || step.kind == model::StepKind::kControl;
  return named ? step.node.op_type : std::string(model::name_of(step.kind));
}

// As the vendor's tools name what they convert: type, name, task, stream, time.
std::string ModelDump::stem(const model::Step& step, size_t number) const {
  using std::chrono::microseconds;
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return fmt::format("{}.{}.{}.0.{}", file_name_of(op_of_step(step, ops_)), file_name_of(step.name),
                     number, std::chrono::duration_cast<microseconds>(now).count());
}

Status ModelDump::write(const std::filesystem::path& folder, const std::string& stem,
                        const std::vector<model_run::SeenTensor>& tensors, const char* side) const {
  OPKIT_CHECK(make_folders(folder));
  for (size_t i = 0; i < tensors.size(); ++i) {
    OPKIT_TRY(const Tensor tensor, dense(tensors[i]));
    OPKIT_CHECK(save_npy(folder / fmt::format("{}.{}.{}.npy", stem, side, i), tensor));
  }
  return {};
}

// Files of bodies lie beside the others, one for each iteration: their names have their times.
model_run::StepWatch ModelDump::watch(uint32_t id, uint64_t run) const {
  if (session_->over) return {};
  const auto folder =
      session_->folder / "0" / file_name_of(name_) / std::to_string(id) / std::to_string(run);
  return [this, folder](const model_run::SeenStep& seen,
                        const std::vector<model_run::SeenTensor>& tensors, bool written) -> Status {
    if (!(written ? session_->outputs : session_->inputs) || !wants(seen.step)) return {};
    return write(folder, stem(seen.step, seen.number), tensors, written ? "output" : "input");
  };
}

aclError Dumps::begin() {
  if (begun_)
    return fail(ACL_ERROR_REPEAT_INITIALIZE,
                "aclmdlInitDump was called before; call aclmdlFinalizeDump");
  begun_ = true;
  return ACL_SUCCESS;
}

aclError Dumps::set(const char* path) {
  if (!path) return fail(ACL_ERROR_INVALID_PARAM, "aclmdlSetDump without a path");
  if (!begun_) return not_begun_dump("aclmdlSetDump");
  return read_dump_config(path, session_);
}

aclError Dumps::end() {
  if (!begun_) return not_begun_dump("aclmdlFinalizeDump");
  if (session_) session_->over = true;
  session_ = nullptr;
  begun_ = false;
  return ACL_SUCCESS;
}

aclError Dumps::choose(const model::OfflineModel& model, const std::string& file,
                       std::optional<ModelDump>& dump) const {
  if (!session_) return ACL_SUCCESS;
  std::set<std::string> layers;
  bool any = false, all = false;
  for (const DumpTarget& target : session_->targets) {
    if (!target.model.empty() && target.model != file && target.model != model.name) continue;
    any = true;
    all = all || target.layers.empty();
    for (const std::string& layer : target.layers) {
      if (!target.model.empty() && !has_layer(model, layer))
        return fail(ACL_ERROR_INVALID_DUMP_CONFIG,
                    "dump_list: model %s has no step for layer %s; `opkit om show` lists its steps",
                    target.model.c_str(), layer.c_str());
      layers.insert(layer);
    }
  }
  if (all) layers.clear();
  if (any) dump.emplace(session_, model, file.empty() ? model.name : file, std::move(layers));
  return ACL_SUCCESS;
}

Dumps& dumps() {
  static Dumps& own = *new Dumps;
  return own;
}

}  // namespace opkit::acl

using namespace opkit::acl;

OPKIT_ACL_EXPORT aclError aclmdlInitDump(void) {
  const Lock lock;
  return dumps().begin();
}

OPKIT_ACL_EXPORT aclError aclmdlSetDump(const char* path) {
  const Lock lock;
  return dumps().set(path);
}

OPKIT_ACL_EXPORT aclError aclmdlFinalizeDump(void) {
  const Lock lock;
  return dumps().end();
}
