#include "opkit/isolation/out_of_process.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "opkit/call/execute/execution.h"
#include "opkit/call/execute/tuned_plan.h"
#include "opkit/call/plan/aicpu.h"
#include "opkit/call/plan/op_runner.h"
#include "opkit/isolation/accept_answer.h"
#include "opkit/isolation/finish.h"
#include "opkit/isolation/request_fields.h"

namespace opkit::isolation {
namespace {

// What a launch without data is taken to work on, for its time limit: it has a limit of
// instructions of its own.
constexpr Work kDry{Work::Kind::kDry, 20u << 20};

Work observed(const Placement& at) { return {Work::Kind::kObserved, bytes_of(at)}; }

Work work_of(const LaunchAsked& asked) {
  if (asked.watch.mode != Mode::kFast) return observed(asked.at);
  return {Work::Kind::kLaunch, bytes_of(asked.at), asked.on.threads};
}

// Tensors as they are stored, which their owner keeps.
Ports lent_at(const std::vector<PortLayouts>& ports, const std::vector<std::vector<void*>>& at) {
  Ports all;
  for (size_t p = 0; p < ports.size(); ++p) {
    all.emplace_back();
    for (size_t t = 0; t < ports[p].size(); ++t) {
      const StorageLayout& layout = ports[p][t];
      all.back().push_back(
          Tensor::lent({std::shared_ptr<void>(), static_cast<std::byte*>(at[p][t])},
                       {{}, layout.dtype(), layout.storage(), layout.format()}));
    }
  }
  return all;
}

}  // namespace

Result<SharedPlan> OutOfProcess::plan(const OpContract& contract, const std::string& soc,
                                      const CallFacts& facts) {
  OPKIT_TRY(const SocMatch match, find_soc(soc));
  const auto make = [&](const CallFacts& all) -> Result<CallPlan> {
    OPKIT_TRY(const SharedPlan plan, session_->plan(contract, *match.spec, all));
    return CallPlan(*plan);
  };
  OPKIT_TRY(CallPlan plan, plan_tuned(contract, digest_, match.spec->name, facts, make));
  return std::make_shared<const CallPlan>(std::move(plan));
}

// Dense inputs that are not small are made where the launch reads them.
void OutOfProcess::make_in_place(Invocation& invocation, const Bound& bound) {
  for (size_t p = 0; invocation.fill && bound.lease && p < invocation.inputs.size(); ++p) {
    for (size_t t = 0; t < invocation.inputs[p].size(); ++t) {
      const Slot& slot = bound.at.inputs[p][t];
      Tensor& input = invocation.inputs[p][t];
      if (!input.is_reserved() || slot.at == kNowhere || !bound.plan->input_layouts[p][t].dense())
        continue;
      input = tensor_in(bound.lease, slot, input.desc());
      // Clears the last byte: elements below a byte may leave half of it.
      if (input.size_bytes() > 0) input.bytes().back() = std::byte{0};
      invocation.fill(p, t, input);
    }
  }
}

CallMemory OutOfProcess::memory_of(const Bound& bound) const {
  return CallMemory(session_->shared(), *bound.plan, bound.at, bound.lease);
}

Result<SharedPlan> OutOfProcess::plan_of(const Invocation& invocation) {
  CallFacts facts = facts_of(*invocation.contract, invocation.inputs);
  facts.attrs = invocation.attrs;
  facts.output_shapes = invocation.output_shapes;
  return plan(*invocation.contract, invocation.soc, facts);
}

Result<OutOfProcess::Bound> OutOfProcess::bind(Invocation invocation) {
  if (!invocation.plan) {
    OPKIT_TRY(invocation.plan, plan_of(invocation));
  }
  Bound bound;
  bound.plan = std::move(invocation.plan);
  invocation.inputs.resize(bound.plan->input_layouts.size());
  OPKIT_CHECK(check_inputs(*bound.plan, invocation.inputs));
  OPKIT_TRY(Session::Place place, session_->place(*bound.plan));
  bound.at = std::move(place.at);
  bound.lease = std::move(place.lease);
  make_in_place(invocation, bound);
  fill_inputs(invocation);
  OPKIT_TRY(bound.stored, to_storage(std::move(invocation.inputs), bound.plan->input_layouts));
  invocation.initial_outputs.resize(bound.plan->output_layouts.size());
  OPKIT_CHECK(check_initial(*bound.plan, invocation.initial_outputs));
  OPKIT_TRY(bound.initial,
            to_storage(std::move(invocation.initial_outputs), bound.plan->output_layouts));
  for (const PortTensors& port : bound.initial) bound.at.defined.push_back(!port.empty());
  OPKIT_TRY(bound.number, session_->number_of(bound.plan));
  return bound;
}

// Tensors where the caller has placed them; of a port that an output replaces, the output's.
Result<OutOfProcess::Bound> OutOfProcess::bind(const PlacedCall& call) {
  Bound bound;
  bound.plan = call.shared_plan();
  const CallAddresses& addresses = call.addresses();
  std::vector<std::vector<void*>> inputs = addresses.inputs;
  for (size_t o = 0; o < bound.plan->output_layouts.size(); ++o) {
    if (const auto input = bound.plan->replaced_by(o)) inputs[*input] = addresses.outputs[o];
  }
  bound.stored = lent_at(bound.plan->input_layouts, inputs);
  bound.initial.resize(bound.plan->output_layouts.size());
  OPKIT_TRY(Session::Place place, session_->place(*bound.plan));
  bound.at = std::move(place.at);
  bound.lease = std::move(place.lease);
  bound.at.defined = addresses.defined;
  OPKIT_TRY(bound.number, session_->number_of(bound.plan));
  return bound;
}

// Keeps what a launch left that was ended for its time.
Result<std::string> OutOfProcess::launch(const Bound& bound, Ask ask, const std::string& body,
                                         const Work& work, const CallMemory& memory) {
  auto answer = session_->ask(ask, body, work, bound.plan.get(), &bound.at);
  if (!answer.ok() && answer.error().is(Cause::kTooSlow))
    answer.error().trail.push_back(
        fmt::format("{} bytes of outputs were not as before the launch", memory.written()));
  return answer;
}

FindLine OutOfProcess::lines() const {
  return [session = session_, generation = session_->generation()](const void* pc) {
    return session->line_of(pc, generation);
  };
}

uint64_t OutOfProcess::seed_of(uint64_t schedule_seed) const {
  return schedule_seed ? schedule_seed : schedule_seed_;
}

Result<Execution> OutOfProcess::run(Invocation invocation) {
  const std::string op = invocation.contract->op;
  const WatchOptions options = run_options(invocation.checked);
  OPKIT_TRY(Observation seen, watch(std::move(invocation), options));
  OPKIT_CHECK(first_mistake(seen.watched, op, short_places(lines())));
  return std::move(seen.execution);
}

LaunchAsked OutOfProcess::asked_of(const Bound& bound, const WatchOptions& options,
                                   unsigned threads, uint64_t schedule_seed) const {
  LaunchAsked asked;
  asked.on.plan = bound.number;
  asked.on.threads = threads;
  asked.on.schedule_seed = seed_of(schedule_seed);
  asked.at = bound.at;
  asked.watch = options;
  return asked;
}

Result<Observation> OutOfProcess::seen_in(const std::string& answer, const SocSpec& soc) const {
  Observation seen;
  wire::Reader reader(answer, &session_->names());
  reader(seen.seconds, seen.watched);
  OPKIT_CHECK(finish(reader, "what was seen of a launch"));
  if (!std::isfinite(seen.seconds)) seen.seconds = 0;
  OPKIT_CHECK(take_rates(seen.watched.timed, soc));
  seen.places = whole_places(lines());
  return seen;
}

Result<Observation> OutOfProcess::watch(Invocation invocation, const WatchOptions& options) {
  const unsigned threads = invocation.threads;
  const uint64_t schedule_seed = invocation.schedule_seed;
  OPKIT_TRY(Bound bound, bind(std::move(invocation)));
  OPKIT_CHECK(check_mode(*bound.plan, options.mode));
  CallMemory memory = memory_of(bound);
  memory.fill(bound.stored, bound.initial);
  const LaunchAsked asked = asked_of(bound, options, threads, schedule_seed);
  OPKIT_TRY(const std::string answer,
            launch(bound, Ask::kLaunch, wire::written(asked), work_of(asked), memory));
  OPKIT_TRY(Observation seen, seen_in(answer, *bound.plan->soc));
  OPKIT_TRY(Ports outputs, memory.outputs());
  OPKIT_CHECK(memory.take_written(bound.stored));
  seen.execution = execution_of(*bound.plan);
  seen.execution.output_padding = paddings_of(outputs, bound.plan->output_layouts);
  seen.execution.input_padding = paddings_of(bound.stored, bound.plan->input_layouts);
  seen.execution.outputs = to_origin(std::move(outputs), bound.plan->output_layouts);
  seen.execution.inputs = to_origin(std::move(bound.stored), bound.plan->input_layouts);
  return seen;
}

Result<Observation> OutOfProcess::watch_placed(PlacedCall& call, const WatchOptions& options,
                                               unsigned threads) {
  OPKIT_CHECK(check_mode(call.plan(), options.mode));
  OPKIT_TRY(Bound bound, bind(call));
  CallMemory memory = memory_of(bound);
  memory.fill(bound.stored, bound.initial);
  LaunchAsked asked = asked_of(bound, options, threads, 0);
  asked.keep_workspace = true;
  OPKIT_TRY(const std::string answer,
            launch(bound, Ask::kLaunch, wire::written(asked), work_of(asked), memory));
  OPKIT_TRY(Observation seen, seen_in(answer, *bound.plan->soc));
  OPKIT_CHECK(memory.take_to(call.addresses()));
  return seen;
}

Result<std::string> OutOfProcess::ask_on_tensors(QuestionAsked asked, Invocation call) {
  OPKIT_TRY(Bound bound, bind(std::move(call)));
  asked.on.plan = bound.number;
  asked.at = bound.at;
  CallMemory memory = memory_of(bound);
  memory.fill(bound.stored, bound.initial);
  return launch(bound, Ask::kObserve, wire::written(asked), observed(bound.at), memory);
}

Result<QuestionAnswer> OutOfProcess::observe(const Question& question, Invocation call) {
  QuestionAsked asked;
  asked.question = question;
  asked.on.threads = call.threads;
  asked.on.room = room_of(question);
  asked.on.schedule_seed = seed_of(call.schedule_seed);
  if (!call.plan) {
    OPKIT_TRY(call.plan, plan_of(call));
  }
  const SharedPlan plan = call.plan;
  std::string told;
  if (needs_tensors(question)) {
    OPKIT_TRY(told, ask_on_tensors(std::move(asked), std::move(call)));
  } else {
    OPKIT_TRY(asked.on.plan, session_->number_of(plan));
    OPKIT_TRY(told, session_->ask(Ask::kObserve, wire::written(asked), kDry));
  }
  OPKIT_TRY(QuestionAnswer answer, read_answer(told, question, session_->names()));
  OPKIT_CHECK(accept_answer(answer, *plan));
  return answer;
}

bool OutOfProcess::forget() {
  session_->end_worker();
  return true;
}

bool OutOfProcess::watch_unset(bool watched) {
  session_->watch_unset(watched);
  return true;
}

std::set<uint64_t> OutOfProcess::tiling_keys(std::optional<size_t> column) const {
  return built_keys(session_->tables().op(), column);
}

}  // namespace opkit::isolation
