#include "opkit/core/worker.h"

#include <numeric>

#include "opkit/core/isa/isa.h"
#include "opkit/core/replay/program.h"
#include "opkit/core/running.h"

namespace opkit::core {
namespace {

// Blocks that may be under way at once when others could go on and chance decides.
constexpr size_t kResident = 48;

thread_local Core* running = nullptr;

bool may_go_on(const Launch& launch, const Core& core) {
  return launch.satisfied(core.seat(), core.wait);
}

// True while the core is unfinished.
bool resume_fiber(Core& core) {
  running = &core;
  const bool unfinished = core.fiber.resume();
  running = nullptr;
  return unfinished;
}

}  // namespace

RunningBlock running_block() {
  if (!running) return {};
  return {true, running->block, running->lane};
}

StackRange running_stack() { return running->fiber.stack(); }

bool fills_running_stack(const void* stack_pointer, const void* address) {
  constexpr ptrdiff_t kStep = 64 << 10;  // what a frame is likely to reach below its caller's
  const StackRange stack = running_stack();
  const auto* at = static_cast<const char*>(stack_pointer);
  const auto* touched = static_cast<const char*>(address);
  return at < stack.begin || at >= stack.end ||
         (touched < stack.begin && touched >= stack.begin - kStep);
}

void end_running_block(Fault fault) {
  Core& core = *running;
  fault.resumable = false;
  core.refuse(std::move(fault));
  core.leave();
  __builtin_unreachable();
}

void Worker::provide(const Launch& launch) {
  if (!soc_.split) return provide(OPK_CORE_MIX, 1);
  provide(OPK_CORE_AIC, launch.has_cube_lane() ? 1 : 0);
  provide(OPK_CORE_AIV, static_cast<size_t>(launch.vector_lanes()));
}

void Worker::run(Launch& launch) {
  launch.worker_joins();
  in_order_ = true;
  while (true) {
    const uint32_t block = next_block(launch);
    if (block == BlockShares::kNone) break;
    Group group = begin(launch, block);
    if (step(launch, group)) waiting_.push_back(group);
    give_turns();
    if (!waiting_.empty()) sweep(launch);
  }
  drain(launch);
  launch.worker_done();
}

void Worker::run_by_chance(Launch& launch, SeededChoice choice) {
  launch.worker_joins();
  in_order_ = false;
  std::vector<uint32_t> blocks(launch.request().block_dim);
  std::iota(blocks.begin(), blocks.end(), 0u);
  for (size_t i = blocks.size(); i > 1; --i) std::swap(blocks[i - 1], blocks[choice.below(i)]);
  while (true) {
    give_turns();
    std::vector<Place> ready = ready_lanes(launch);
    const bool room = !blocks.empty() && (ready.empty() || waiting_.size() < kResident);
    if (room && choice.below(ready.size() + 1) == ready.size()) {
      if (launch.block_allowed(blocks.back())) waiting_.push_back(begin(launch, blocks.back()));
      blocks.pop_back();
    } else if (!ready.empty()) {
      resume(launch, ready[choice.below(ready.size())]);
    } else {
      break;
    }
  }
  if (!waiting_.empty() && !launch.idle(launch.signals())) abandon(launch);
  launch.worker_done();
}

uint32_t Worker::next_block(Launch& launch) {
  uint32_t block = launch.take_block(number_);
  while (block != BlockShares::kNone && !launch.block_allowed(block))
    block = launch.take_block(number_);
  return block;
}

std::vector<Worker::Place> Worker::ready_lanes(Launch& launch) const {
  std::vector<Place> ready;
  for (size_t g = 0; g < waiting_.size(); ++g) {
    for (int i = 0; i < waiting_[g].count; ++i) {
      if (may_go_on(launch, *waiting_[g].lanes[i])) ready.emplace_back(g, i);
    }
  }
  return ready;
}

void Worker::resume(Launch& launch, Place place) {
  Group& group = waiting_[place.first];
  Core* core = group.lanes[place.second];
  if (resume_fiber(*core) && !core->aborted) return;
  end(launch, core);
  group.remove(place.second);
  if (group.count == 0) waiting_.erase(waiting_.begin() + static_cast<std::ptrdiff_t>(place.first));
}

Worker::Group Worker::begin(Launch& launch, uint32_t block) {
  Group group;
  const opk_kernel_v1& kernel = *launch.request().kernel;
  if (!soc_.split) {
    add(launch, group, OPK_CORE_MIX, block, -1,
        kernel.mix   ? kernel.mix
        : kernel.aiv ? kernel.aiv
                     : kernel.aic);
    return group;
  }
  if (launch.has_cube_lane()) add(launch, group, OPK_CORE_AIC, block, -1, kernel.aic);
  for (int lane = 0; lane < launch.vector_lanes(); ++lane) {
    add(launch, group, OPK_CORE_AIV, block, launch.has_cube_lane() ? lane : -1, kernel.aiv);
  }
  return group;
}

void Worker::provide(opk_core_kind kind, size_t idle) {
  while (idle_[kind].size() < idle) {
    owned_.push_back(std::make_unique<Core>(soc_, kind, engine_isa()));
    idle_[kind].reserve(owned_.size());
    idle_[kind].push_back(owned_.back().get());
  }
}

void Worker::add(Launch& launch, Group& group, opk_core_kind kind, uint32_t block, int lane,
                 opk_kernel_fn entry) {
  auto& pool = idle_[kind];
  provide(kind, 1);
  Core* core = pool.back();
  pool.pop_back();
  core->begin(launch, block, lane);
  core->entry = entry;
  core->worker = this;
  if (core->observer) core->observer->core_begins(*core);
  core->fiber.start(&Worker::run_kernel, core);
  group.lanes[group.count++] = core;
}

void Worker::run_kernel(void* argument) {
  Core& core = *static_cast<Core*>(argument);
  do {
    const LaunchRequest& request = core.launch->request();
    if (request.program) {
      request.program->run(core);
    } else if (core.entry) {
      core.entry(&core, request.args);
    }
    if (core.observer) core.observer->kernel_returned(core);
  } while (core.worker->goes_on(core));
}

bool Worker::goes_on(Core& core) {
  Launch& launch = *core.launch;
  const bool alone = launch.lanes() == 1 || core.kind == OPK_CORE_MIX;
  if (!in_order_ || !alone || !waiting_.empty()) return false;
  const uint32_t block = next_block(launch);
  if (block == BlockShares::kNone) return false;
  leave(launch, core);
  core.begin(launch, block, -1);
  if (core.observer) core.observer->core_begins(core);
  return true;
}

bool Worker::step(Launch& launch, Group& group) {
  bool moved = true;
  while (moved) {
    moved = false;
    for (int i = 0; i < group.count;) {
      Core* core = group.lanes[i];
      if (!may_go_on(launch, *core)) {
        ++i;
        continue;
      }
      moved = true;
      if (resume_fiber(*core) && !core->aborted) {
        ++i;
      } else {
        end(launch, core);
        group.remove(i);
      }
    }
  }
  return group.count > 0;
}

void Worker::end(Launch& launch, Core* core) {
  leave(launch, *core);
  idle_[core->kind].push_back(core);
}

void Worker::leave(Launch& launch, Core& core) {
  if (core.observer && !core.aborted) core.observer->core_ends(core);
  launch.leave(core.seat(), core.atomics, core.printed);
  launch.tell_those_who_wait();
}

void Worker::give_turns() {
  for (Group& group : waiting_) {
    for (int i = 0; i < group.count; ++i) {
      Wait& wait = group.lanes[i]->wait;
      if (wait.kind == Wait::Kind::kTurn) wait.kind = Wait::Kind::kNone;
    }
  }
}

bool Worker::sweep(Launch& launch) {
  const size_t before = waiting_.size();
  bool moved = false;
  for (size_t i = 0; i < waiting_.size();) {
    if (ready(launch, waiting_[i])) {
      moved = true;
      if (!step(launch, waiting_[i])) {
        waiting_.erase(waiting_.begin() + static_cast<std::ptrdiff_t>(i));
        continue;
      }
    }
    ++i;
  }
  return moved || waiting_.size() != before;
}

bool Worker::ready(Launch& launch, const Group& group) {
  for (int i = 0; i < group.count; ++i) {
    if (may_go_on(launch, *group.lanes[i])) return true;
  }
  return false;
}

void Worker::drain(Launch& launch) {
  bool moved = true;
  while (!waiting_.empty()) {
    // What moved may have written to GM what a core of another worker waits for.
    if (moved) launch.tell_those_who_wait();
    const uint64_t seen = launch.signals();
    give_turns();
    moved = sweep(launch);
    if (!moved && !launch.idle(seen)) return abandon(launch);
  }
}

void Worker::abandon(Launch& launch) {
  std::vector<Core*> blocked;
  for (const Group& group : waiting_)
    blocked.insert(blocked.end(), group.lanes, group.lanes + group.count);
  std::vector<WaitingCore> told;
  for (const Core* core : blocked)
    told.push_back({core->id(), core->wait, core->flags_taken[core->wait.id]});
  launch.report_deadlock(told);
  for (Core* core : blocked) {
    core->aborted = true;
    end(launch, core);
  }
  waiting_.clear();
}

}  // namespace opkit::core
