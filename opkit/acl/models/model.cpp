#include "opkit/acl/models/model.h"

#include "opkit/acl/device/failed_op.h"
#include "opkit/acl/models/model_file.h"
#include "opkit/acl/profile/profile.h"
#include "opkit/acl/profile/subscription.h"
#include "registry/registry.h"

namespace opkit::acl {
namespace {

constexpr uintptr_t kWeightAlignment = 64;

std::vector<std::string> op_types_of(const model::OfflineModel& model) {
  std::vector<std::string> types;
  for (const model::PluginId& plugin : model.plugins) types.push_back(plugin.op);
  return types;
}

aclError check_lent(const DeviceMemory& memory, const char* what, const void* at, size_t given,
                    uint64_t wanted) {
  if (given < wanted)
    return fail(ACL_ERROR_GE_EXEC_MODEL_ADDR_INVALID,
                "the %s memory has %zu bytes, the model wants %llu; ask aclmdlQuerySize", what,
                given, static_cast<unsigned long long>(wanted));
  if (!memory.holds(at, wanted))
    return fail(ACL_ERROR_GE_EXEC_MODEL_ADDR_INVALID,
                "the %s memory %p with %llu bytes is no device memory: %s", what, at,
                static_cast<unsigned long long>(wanted), memory.about(at).c_str());
  if (reinterpret_cast<uintptr_t>(at) % kWeightAlignment == 0) return ACL_SUCCESS;
  return fail(ACL_ERROR_GE_EXEC_MODEL_ADDR_INVALID, "the %s memory %p is not a multiple of 64",
              what, at);
}

aclError wrong_chip(const std::string& model, const char* here) {
  return fail(ACL_ERROR_GE_LOAD_MODEL,
              "the model was compiled for %s, the program runs on %s; compile one of them again "
              "(atc --soc_version, opkit cc --soc)",
              model.c_str(), here);
}

}  // namespace

aclError code_of(const Error& error) {
  const std::string_view code = error.code;
  if (code == model::kNoOm || code == model::kOtherOm || code == model::kDamaged ||
      code == model::kWrongOm)
    return ACL_ERROR_DESERIALIZE_MODEL;
  if (code == model::kTooLarge) return ACL_ERROR_GE_MEMORY_ALLOCATION;
  if (has_cause(code, Cause::kFile)) return ACL_ERROR_GE_EXEC_MODEL_PATH_INVALID;
  return ACL_ERROR_GE_LOAD_MODEL;
}

aclError no_model(uint32_t id) {
  return fail(ACL_ERROR_GE_EXEC_MODEL_ID_INVALID,
              "model %u is not loaded; it was never loaded, or it was unloaded", id);
}

aclError Model::load(EmulatedDevice& device, model::OfflineModel offline, const ProgramMemory& lent,
                     std::shared_ptr<Model>& loaded) {
  if (offline.soc != device.soc().name) return wrong_chip(offline.soc, device.soc().name);
  std::shared_ptr<Model> model(new Model(device));
  model->ends = std::make_shared<const ModelEnds>(offline);
  if (const aclError code = model->take_memory(model_run::memory_of(offline), lent)) return code;
  if (const aclError code = model->start(std::move(offline))) return code;
  loaded = std::move(model);
  return ACL_SUCCESS;
}

Model::~Model() {
  runner_.reset();
  if (own_work_) device_.memory().release(own_work_, nullptr);
  if (own_weights_) device_.memory().release(own_weights_, nullptr);
}

aclError Model::take_memory(const model_run::ModelMemory& wanted, const ProgramMemory& lent) {
  DeviceMemory& memory = device_.memory();
  wanted_ = wanted;
  const auto take = [&](const char* what, void* given, size_t bytes, uint64_t needed, void*& own,
                        void*& used) -> aclError {
    if (given) {
      used = given;
      return check_lent(memory, what, given, bytes, needed);
    }
    if (memory.allocate(&own, needed, 0) != ACL_SUCCESS)
      return fail(ACL_ERROR_GE_MEMORY_ALLOCATION,
                  "the model's %s memory of %llu bytes does not fit: %llu of %llu bytes are in use",
                  what, static_cast<unsigned long long>(needed),
                  static_cast<unsigned long long>(memory.in_use()),
                  static_cast<unsigned long long>(memory.limit()));
    used = own;
    return ACL_SUCCESS;
  };
  if (const aclError code = take("work", lent.work, lent.work_bytes, wanted.work, own_work_, work_))
    return code;
  return take("weight", lent.weights, lent.weight_bytes, wanted.weights, own_weights_, weights_);
}

aclError Model::check_memory() const {
  const DeviceMemory& memory = device_.memory();
  if (!own_work_ && !memory.holds(work_, wanted_.work))
    return fail(ACL_ERROR_GE_EXEC_MODEL_ADDR_INVALID,
                "the work memory %p that model %u was given is gone: %s", work_, id,
                memory.about(work_).c_str());
  if (!own_weights_ && !memory.holds(weights_, wanted_.weights))
    return fail(ACL_ERROR_GE_EXEC_MODEL_ADDR_INVALID,
                "the weight memory %p that model %u was given is gone: %s", weights_, id,
                memory.about(weights_).c_str());
  return ACL_SUCCESS;
}

aclError Model::start(model::OfflineModel offline) {
  ops_ = InstalledOps::open(registry::Registry::open(), offline.soc, op_types_of(offline),
                            in_this_process(false));
  model_run::Lent lent{static_cast<std::byte*>(weights_), static_cast<std::byte*>(work_),
                       [this](PlacedCall& call, Executor&) { return launch(call); }};
  auto runner = model_run::ModelRunner::load(std::move(offline), *ops_, 1, std::move(lent));
  if (!runner.ok()) return fail(code_of(runner.error()), runner.error());
  runner_.emplace(std::move(*runner));
  return ACL_SUCCESS;
}

Status Model::launch(PlacedCall& call) {
  if (device_.run(call)) return {};
  Exceptions::at(failed_op(call.plan(), call.addresses()));
  return call.plan().contract->error(kWrongKernel, "the kernel was wrong, see stderr",
                                     "run `opkit test` on the op");
}

Status Model::run(const std::vector<const std::byte*>& inputs,
                  const std::vector<std::byte*>& outputs, size_t gear) {
  const std::lock_guard<std::mutex> lock(running_);
  const Timing timing(profile(), Profile::kTasks, [&] { return "model " + std::to_string(id); });
  const auto begin = std::chrono::steady_clock::now();
  model_run::RunTimes times;
  const model_run::StepWatch watch = dump ? dump->watch(id, runs_) : model_run::StepWatch{};
  ++runs_;
  const Status done = runner_->run(inputs, outputs, gear, &times, watch);
  if (done.ok()) tell(times, gear, begin);
  return done;
}

void Model::tell(const model_run::RunTimes& times, size_t gear,
                 std::chrono::steady_clock::time_point at) const {
  if (profile().collects(Profile::kTasks)) tell_steps(times, gear, at);
  if (subscriptions().wants(id)) tell_subscriber(times, gear, at);
}

void Model::tell_subscriber(const model_run::RunTimes& times, size_t gear,
                            std::chrono::steady_clock::time_point at) const {
  const std::vector<model::Step>& steps = runner_->model().plan(gear).steps;
  const std::vector<std::string> ops = op_types_of(runner_->model());
  std::vector<OpRecord> records;
  uint64_t now = static_cast<uint64_t>(std::chrono::nanoseconds(at.time_since_epoch()).count());
  now += times.copied_in;
  for (size_t s = 0; s < steps.size(); ++s) {
    OpRecord& record = records.emplace_back(id, op_of_step(steps[s], ops), steps[s].name);
    record.start = now;
    record.end = now += times.steps[s];
  }
  subscriptions().tell(id, records);
}

void Model::tell_steps(const model_run::RunTimes& times, size_t gear,
                       std::chrono::steady_clock::time_point at) const {
  const auto tell = [&](const std::string& name, uint64_t nanoseconds) {
    const Profile::Time end = at + std::chrono::nanoseconds(nanoseconds);
    profile().add_span(Profile::kTasks, name, at, end);
    at = end;
  };
  const std::vector<model::Step>& steps = runner_->model().plan(gear).steps;
  tell("inputs", times.copied_in);
  for (size_t s = 0; s < steps.size(); ++s) tell(steps[s].name, times.steps[s]);
  tell("outputs", times.copied_out);
}

uint32_t Models::add(std::shared_ptr<Model> model) {
  model->id = next_;
  models_.emplace(next_, std::move(model));
  return next_++;
}

std::shared_ptr<Model> Models::find(uint32_t id) const {
  const auto found = models_.find(id);
  return found == models_.end() ? nullptr : found->second;
}

Models& models() {
  static Models& own = *new Models;
  return own;
}

}  // namespace opkit::acl
