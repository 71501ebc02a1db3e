#include "opkit/model/run/model_runner.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <map>
#include <optional>
#include <utility>

#include "opkit/call/execute/execution.h"
#include "opkit/call/execute/generated_ops.h"
#include "opkit/call/plan/aicpu.h"
#include "opkit/call/plan/placed_call.h"
#include "opkit/model/file/bodies.h"
#include "opkit/model/file/gears.h"
#include "opkit/model/run/check_plan.h"
#include "opkit/model/run/control_step.h"
#include "opkit/model/run/device_memory.h"
#include "opkit/model/run/host_step.h"
#include "opkit/soc/soc_spec.h"

namespace opkit::model_run {

using model::kNoTensor;
using model::ModelTensor;
using model::OfflineModel;
using model::Place;
using model::PluginId;
using model::Step;
using model::StepKind;

// Nanoseconds since the last call, or since it was made.
class Lap {
 public:
  uint64_t take() {
    const auto now = std::chrono::steady_clock::now();
    const auto spent = std::chrono::nanoseconds(now - std::exchange(since_, now));
    return static_cast<uint64_t>(spent.count());
  }

 private:
  std::chrono::steady_clock::time_point since_ = std::chrono::steady_clock::now();
};

// The plan of a gear or of a body, placed: all share weights, plugins and work memory.
struct Placed {
  const model::Plan* plan = nullptr;
  uint32_t gear = 0, body = model::kNoBody;
  std::byte* block = nullptr;
  std::vector<std::byte*> inputs, outputs;  // point into the work memory, behind the block
  // Holds the call of each kernel step. A plan borrows facts' values only while it is made.
  std::vector<std::optional<PlacedCall>> calls;
  std::map<size_t, std::vector<Placed>> bodies;  // holds the bodies of each control step
};

// Who wants to know of a run.
struct Run {
  const StepWatch& watch;
  RunTimes& times;
};

struct ModelRunner::State {
  OfflineModel model;
  const SocSpec* soc = nullptr;
  unsigned threads = 0;
  Lent lent;  // its memory is own_* when the caller lends none
  Tensor own_weights, own_work;
  InstalledOps generated;         // plugins that opkit wrote itself and nobody installed
  std::vector<InstalledOp*> ops;  // holds the op of each plugin
  std::vector<Placed> gears;

  Status find_plugins(const InstalledOps& installed);
  Result<InstalledOp*> find_plugin(const PluginId& plugin, const InstalledOps& installed);
  Status take_memory();
  Status place(Placed& plan, const model::StepBodies& bodies, std::byte* at);
  void place_ends(Placed& gear);
  void write_weights();
  // Returns all three: how long it took, in nanoseconds.
  Result<uint64_t> launch(PlacedCall& call, Executor& executor);
  Status place_calls(Placed& gear);
  Result<std::shared_ptr<const CallPlan>> plan_of(const Placed& gear, const Step& step);
  std::byte* at(const Placed& gear, const ModelTensor& tensor);
  Located located(const Placed& gear, uint32_t t);
  std::vector<Located> located(const Placed& gear, const std::vector<uint32_t>& port);
  std::vector<std::vector<void*>> addresses(const Placed& gear,
                                            const std::vector<std::vector<uint32_t>>& ports);
  Status run_plan(Placed& plan, uint64_t iteration, Run& run);
  Result<uint64_t> run_step(Placed& gear, size_t s, Run& run);
  Result<uint64_t> run_bodies(Placed& gear, size_t s, Run& run);
  Result<uint64_t> run_kernel(Placed& gear, size_t s);
  Status run_on_host(Placed& gear, const Step& step);
  Status show(const StepWatch& watch, const Placed& gear, size_t s, uint64_t iteration,
              bool written);
};

namespace {

Error other_plugin(const PluginId& plugin, std::string why,
                   std::string action = "install that package, or compile the model again") {
  return Error(model::kOtherPlugin,
               fmt::format("the model was made with {} {} of {}, and {}", plugin.op, plugin.version,
                           plugin.vendor, why),
               std::move(action));
}

Error no_plugin(const PluginId& plugin, const InstalledOps& installed, const std::string& soc) {
  const Error* const reason = installed.why_not(plugin.op);
  const std::string missing = fmt::format("no op {} is installed for {}", plugin.op, soc);
  if (reason == nullptr) return other_plugin(plugin, missing);
  if (reason->code == registry::kNotKnown)
    return other_plugin(plugin, missing + ": " + reason->message, reason->action);
  return other_plugin(plugin, reason->message, reason->action);
}

Error lost_chain(const PluginId& plugin) {
  return Error(model::kOtherPlugin,
               fmt::format("the model has the chain {}, which atc --generate_chains wrote and kept "
                           "in {}; it is not there, and not installed",
                           plugin.op, generated_opp().string()),
               "compile the model again on this machine, or install the package from the machine "
               "where it was compiled");
}

Error bad_input(const std::string& what) {
  return Error(model::kBadInput, what, "give the inputs that `opkit om show` lists");
}

Error unlike(const TensorDesc& wanted, const Tensor& input) {
  return bad_input(fmt::format("input '{}' is {}{}, the model takes {}{}", wanted.name,
                               name_of(input.dtype()), input.shape().to_string(),
                               name_of(wanted.dtype), wanted.shape.to_string()));
}

// Returns the number of the gear that takes the inputs.
Result<size_t> check_inputs(const OfflineModel& model, const std::vector<Tensor>& inputs) {
  if (inputs.size() != model.inputs.size())
    return bad_input(
        fmt::format("{} inputs are given, the model has {}", inputs.size(), model.inputs.size()));
  std::vector<Shape> shapes;
  for (size_t i = 0; i < inputs.size(); ++i) {
    const TensorDesc& wanted = model.tensors[model.inputs[i]].desc;
    const bool fixed = model.plan_count() == 1;
    if (inputs[i].dtype() != wanted.dtype || (fixed && inputs[i].shape() != wanted.shape))
      return unlike(wanted, inputs[i]);
    shapes.push_back(inputs[i].shape());
  }
  return model::gear_of(model, shapes);
}

}  // namespace

namespace {

// Sums what each step of the gear took, the steps of its bodies included.
std::vector<uint64_t> by_step(const std::vector<RanStep>& ran, size_t count) {
  std::vector<uint64_t> steps(count);
  size_t last = 0;
  for (const RanStep& one : ran) {
    if (one.body == model::kNoBody) last = one.step;
    steps[last] += one.own;
  }
  return steps;
}

}  // namespace

// An op that opkit wrote for a chain is installed, or in the user's cache.
Result<InstalledOp*> ModelRunner::State::find_plugin(const PluginId& plugin,
                                                     const InstalledOps& installed) {
  if (InstalledOp* op = installed.find(plugin.op)) return op;
  if (plugin.vendor != kGeneratedVendor) return no_plugin(plugin, installed, model.soc);
  if (!generated_opp().empty()) {
    auto kept = generated.add(generated_registry(), model.soc, plugin.op);
    if (kept.ok()) return *kept;
  }
  return lost_chain(plugin);
}

Status ModelRunner::State::find_plugins(const InstalledOps& installed) {
  for (const PluginId& plugin : model.plugins) {
    OPKIT_TRY(InstalledOp * op, find_plugin(plugin, installed));
    const registry::Manifest& manifest = op->package().manifest;
    if (manifest.library_sha256 != plugin.library_sha256 ||
        manifest.contract_sha256 != plugin.contract_sha256)
      return other_plugin(plugin, fmt::format("another build is installed, {} {} of {}",
                                              manifest.op, manifest.version, manifest.vendor));
    ops.push_back(op);
  }
  return {};
}

Status ModelRunner::State::take_memory() {
  OPKIT_CHECK(check_fits(model));
  const ModelMemory wanted = memory_of(model);
  if (!lent.weights) {
    OPKIT_TRY(own_weights, device_memory(wanted.weights));
    lent.weights = own_weights.data();
  }
  if (!lent.work) {
    OPKIT_TRY(own_work, device_memory(wanted.work));
    lent.work = own_work.data();
  }
  return {};
}

void ModelRunner::State::place_ends(Placed& gear) {
  std::byte* next = gear.block + room_of(gear.plan->block_bytes);
  for (const auto& [ends, places] : {std::pair(&gear.plan->inputs, &gear.inputs),
                                     std::pair(&gear.plan->outputs, &gear.outputs)}) {
    for (const uint32_t t : *ends) {
      places->push_back(next);
      next += room_of(gear.plan->tensors[t].bytes);
    }
  }
}

void ModelRunner::State::write_weights() {
  for (const model::WeightPart& part : model.weight_parts) {
    std::byte* to = lent.weights + part.offset;
    if (!part.filled) {
      std::memcpy(to, model.weights.data() + part.file_offset, part.bytes);
      continue;
    }
    const size_t size = part.element.size();
    for (uint64_t i = 0; i < part.bytes; i += size) std::memcpy(to + i, part.element.data(), size);
  }
}

std::byte* ModelRunner::State::at(const Placed& gear, const ModelTensor& tensor) {
  switch (tensor.place) {
    case Place::kInput: return gear.inputs[tensor.offset];
    case Place::kOutput: return gear.outputs[tensor.offset];
    case Place::kWeight: return lent.weights + tensor.offset;
    case Place::kBlock: break;
  }
  return gear.block + tensor.offset;
}

Located ModelRunner::State::located(const Placed& gear, uint32_t t) {
  if (t == kNoTensor) return {};
  return {&gear.plan->tensors[t], at(gear, gear.plan->tensors[t])};
}

std::vector<Located> ModelRunner::State::located(const Placed& gear,
                                                 const std::vector<uint32_t>& port) {
  std::vector<Located> all;
  for (const uint32_t t : port) all.push_back(located(gear, t));
  return all;
}

std::vector<std::vector<void*>> ModelRunner::State::addresses(
    const Placed& gear, const std::vector<std::vector<uint32_t>>& ports) {
  std::vector<std::vector<void*>> all;
  for (const auto& port : ports) {
    all.emplace_back();
    for (const uint32_t t : port) all.back().push_back(at(gear, gear.plan->tensors[t]));
  }
  return all;
}

Result<std::shared_ptr<const CallPlan>> ModelRunner::State::plan_of(const Placed& gear,
                                                                    const Step& step) {
  InstalledOp& op = *ops[step.plugin];
  const OpContract& contract = op.contract();
  if (step.in.size() != contract.inputs.size() || step.out.size() != contract.outputs.size() ||
      step.column >= contract.column_count())
    return Error(model::kWrongOm, fmt::format("step '{}' does not fit {}", step.name, contract.op),
                 "make the model again with atc");
  CallFacts facts;
  facts.attrs = step.attrs;
  for (size_t p = 0; p < step.in.size(); ++p) {
    facts.inputs.emplace_back();
    for (const uint32_t t : step.in[p]) {
      const ModelTensor& tensor = gear.plan->tensors[t];
      InputFacts input{tensor.desc, {}};
      input.desc.format = contract.inputs[p].formats[step.column];
      if (contract.inputs[p].value_depend) input.value = {at(gear, tensor), tensor.bytes};
      facts.inputs.back().push_back(std::move(input));
    }
  }
  return op.plan(model.soc, facts);
}

// The bodies of its steps lie behind the plan, each where the others do.
Status ModelRunner::State::place(Placed& plan, const model::StepBodies& bodies, std::byte* at) {
  plan.block = at;
  place_ends(plan);
  OPKIT_CHECK(place_calls(plan));
  for (size_t s = 0; s < plan.plan->steps.size(); ++s) {
    for (const uint32_t b : bodies.of(plan.gear, plan.body, s)) {
      Placed body;
      body.plan = &model.bodies[b];
      body.gear = plan.gear, body.body = b;
      OPKIT_CHECK(place(body, bodies, at + work_of(*plan.plan)));
      plan.bodies[s].push_back(std::move(body));
    }
  }
  return {};
}

Status ModelRunner::State::place_calls(Placed& gear) {
  gear.calls.resize(gear.plan->steps.size());
  for (size_t s = 0; s < gear.plan->steps.size(); ++s) {
    const Step& step = gear.plan->steps[s];
    if (!asks_plugin(step.kind)) continue;
    auto plan = plan_of(gear, step);
    if (!plan.ok()) return std::move(plan).error().with("step " + step.name);
    OPKIT_CHECK(check_plan(*gear.plan, step, **plan));
    const CallAddresses addresses{
        .inputs = this->addresses(gear, step.in),
        .outputs = this->addresses(gear, step.out),
        .workspace = step.workspace_bytes > 0 ? gear.block + step.workspace : nullptr,
        .have_tails = true};
    OPKIT_TRY(gear.calls[s], PlacedCall::place(*plan, addresses));
  }
  return {};
}

Result<uint64_t> ModelRunner::State::run_kernel(Placed& gear, size_t s) {
  const Step& step = gear.plan->steps[s];
  PlacedCall& call = *gear.calls[s];
  const std::vector<ModelTensor>& tensors = gear.plan->tensors;
  for (size_t o = 0; o < step.out.size(); ++o) {
    const auto input = call.plan().replaced_by(o);
    for (size_t i = 0; input && i < step.out[o].size(); ++i) {
      const ModelTensor& tensor = tensors[step.out[o][i]];
      std::memmove(at(gear, tensor), at(gear, tensors[step.in[*input][i]]), tensor.bytes);
    }
  }
  OPKIT_TRY(Executor * executor, ops[step.plugin]->executor());
  Result<uint64_t> spent = launch(call, *executor);
  if (!spent.ok()) return std::move(spent).error().with("step " + step.name);
  return spent;
}

Result<uint64_t> ModelRunner::State::launch(PlacedCall& call, Executor& executor) {
  if (lent.launch) {
    Lap lap;
    OPKIT_CHECK(lent.launch(call, executor));
    return lap.take();
  }
  OPKIT_TRY(const Observation seen, executor.watch_placed(call, {}, threads));
  OPKIT_CHECK(first_mistake(seen.watched, call.plan().contract->op, seen.places));
  return static_cast<uint64_t>(seen.seconds * 1e9);
}

Status ModelRunner::State::run_plan(Placed& plan, uint64_t iteration, Run& run) {
  for (size_t s = 0; s < plan.plan->steps.size(); ++s) {
    OPKIT_CHECK(show(run.watch, plan, s, iteration, false));
    const size_t at = run.times.ran.size();
    run.times.ran.push_back({plan.body, iteration, static_cast<uint32_t>(s), 0});
    OPKIT_TRY(run.times.ran[at].own, run_step(plan, s, run));
    OPKIT_CHECK(show(run.watch, plan, s, iteration, true));
  }
  return {};
}

Result<uint64_t> ModelRunner::State::run_step(Placed& gear, size_t s, Run& run) {
  const Step& step = gear.plan->steps[s];
  if (asks_plugin(step.kind)) return run_kernel(gear, s);
  if (step.kind == StepKind::kControl) return run_bodies(gear, s, run);
  Lap lap;
  OPKIT_CHECK(run_on_host(gear, step));
  return lap.take();
}

// Without what the steps of the bodies take.
Result<uint64_t> ModelRunner::State::run_bodies(Placed& gear, size_t s, Run& run) {
  std::vector<Placed>& bodies = gear.bodies[s];
  std::vector<BodyEnds> ends;
  for (const Placed& body : bodies) ends.push_back({body.plan, body.inputs, body.outputs});
  const Step& step = gear.plan->steps[s];
  uint64_t own = 0;
  Lap lap;
  const auto run_body = [&](size_t number, uint64_t iteration) -> Status {
    own += lap.take();
    Status done = run_plan(bodies[number], iteration, run);
    lap.take();
    return done;
  };
  Status done =
      run_control(step, located(gear, step.in[0]), located(gear, step.out[0]), ends, run_body);
  if (!done.ok()) return std::move(done).error().with("step " + step.name);
  return own + lap.take();
}

Status ModelRunner::State::run_on_host(Placed& gear, const Step& step) {
  if (step.kind != StepKind::kHost)
    return turn(step, located(gear, step.in[0][0]), located(gear, step.out[0][0]));
  Status done = run_operator(step, static_cast<int>(model.opset), located(gear, step.in[0]),
                             located(gear, step.out[0]));
  if (!done.ok()) return std::move(done).error().with("step " + step.name);
  return {};
}

Status ModelRunner::State::show(const StepWatch& watch, const Placed& gear, size_t s,
                                uint64_t iteration, bool written) {
  if (!watch) return {};
  const Step& step = gear.plan->steps[s];
  std::vector<SeenTensor> seen;
  for (const auto& port : written ? step.out : step.in) {
    for (const Located& one : located(gear, port)) {
      if (one.tensor) seen.push_back({one.tensor, one.at});
    }
  }
  return watch({step, s, gear.body, iteration}, seen, written);
}

ModelRunner::ModelRunner(std::unique_ptr<State> state) : state_(std::move(state)) {}
ModelRunner::ModelRunner(ModelRunner&&) noexcept = default;
ModelRunner::~ModelRunner() = default;

const OfflineModel& ModelRunner::model() const { return state_->model; }

Result<ModelRunner> ModelRunner::load(OfflineModel model, const InstalledOps& ops, unsigned threads,
                                      Lent lent) {
  auto state = std::make_unique<State>();
  state->model = std::move(model);
  state->lent = std::move(lent);
  OPKIT_TRY(const SocMatch soc, find_soc(state->model.soc));
  state->soc = soc.spec;
  state->threads = threads;
  state->generated = InstalledOps(ops.opens());
  OPKIT_CHECK(state->find_plugins(ops));
  OPKIT_CHECK(state->take_memory());
  state->write_weights();
  state->gears.resize(state->model.plan_count());
  const model::StepBodies bodies(state->model);
  for (size_t g = 0; g < state->gears.size(); ++g) {
    state->gears[g].plan = &state->model.plan(g);
    state->gears[g].gear = static_cast<uint32_t>(g);
    OPKIT_CHECK(state->place(state->gears[g], bodies, state->lent.work));
  }
  return ModelRunner(std::move(state));
}

Status ModelRunner::run(std::span<const std::byte* const> inputs,
                        std::span<std::byte* const> outputs, size_t gear, RunTimes* times,
                        const StepWatch& watch) {
  State& state = *state_;
  Placed& placed = state.gears[gear];
  const model::Plan& plan = *placed.plan;
  RunTimes unread;
  RunTimes& kept = times ? *times : unread;
  kept.ran.clear();
  Lap lap;
  for (size_t i = 0; i < inputs.size(); ++i)
    std::memcpy(placed.inputs[i], inputs[i], plan.tensors[plan.inputs[i]].bytes);
  kept.copied_in = lap.take();
  Run told{watch, kept};
  OPKIT_CHECK(state.run_plan(placed, 0, told));
  kept.steps = by_step(kept.ran, plan.steps.size());
  lap.take();
  for (size_t i = 0; i < outputs.size(); ++i)
    std::memcpy(outputs[i], placed.outputs[i], plan.tensors[plan.outputs[i]].bytes);
  kept.copied_out = lap.take();
  return {};
}

Result<std::vector<Tensor>> ModelRunner::run(const std::vector<Tensor>& inputs, RunTimes* times,
                                             const StepWatch& watch) {
  OPKIT_TRY(const size_t gear, check_inputs(state_->model, inputs));
  const model::Plan& plan = state_->model.plan(gear);
  std::vector<const std::byte*> from;
  for (const Tensor& input : inputs) from.push_back(input.data());
  std::vector<Tensor> outputs;
  std::vector<std::byte*> to;  // the bytes of a tensor stay where they are when it moves
  for (const uint32_t t : plan.outputs) {
    const TensorDesc& desc = plan.tensors[t].desc;
    to.push_back(outputs.emplace_back(desc.dtype, desc.shape, desc.name).data());
  }
  OPKIT_CHECK(run(from, to, gear, times, watch));
  return outputs;
}

}  // namespace opkit::model_run
