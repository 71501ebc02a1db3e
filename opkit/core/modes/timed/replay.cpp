#include "opkit/core/modes/timed/replay.h"

#include <algorithm>
#include <tuple>

namespace opkit::core::timed {
void Replay::run(const Recording& recording, L2Cache& l2, uint32_t resident, bool spans,
                 TimedResult* result) {
  recording_ = &recording;
  l2_ = &l2;
  spans_ = spans;
  result_ = result;
  prepare(resident);
  start_waiting_blocks();
  while (!pieces_.empty()) {
    const Piece piece = pieces_.top();
    pieces_.pop();
    if (piece.pipe == kScalar)
      receive(piece.core);
    else
      move_piece(piece);
    start_waiting_blocks();
  }
  gather();
}

void Replay::prepare(uint32_t resident) {
  hbm_free_ = l2_free_ = 0;
  depth_ = std::min<uint64_t>(rates_.queue_depth, kMostQueued);
  read_past_l2_.clear();
  signals_.assign(recording_->signals, kUnknown);
  setter_.assign(recording_->signals, 0);
  signal_is_shared_.assign(recording_->signals, 0);
  for (const Gate& gate : recording_->gates) {
    for (const uint32_t signal : gate) signal_is_shared_[signal] = 1;
  }
  by_site_.assign(recording_->sites.size() * kTimedPipes, {});
  prepare_cores();
  const size_t blocks = blocks_.size() - 1;
  block_end_.assign(blocks, 0);
  unfinished_.resize(blocks);
  for (size_t b = 0; b < blocks; ++b)
    unfinished_[b] = static_cast<uint32_t>(blocks_[b + 1] - blocks_[b]);
  next_block_ = std::min<size_t>(resident, blocks);
  for (size_t b = 0; b < next_block_; ++b) startable_.emplace_back(b, 0);
}

void Replay::prepare_cores() {
  const size_t count = recording_->cores.size();
  result_->cores.clear();
  cores_.resize(count);
  block_of_.resize(count);
  blocks_.clear();
  for (size_t i = 0; i < count; ++i) {
    const CoreRecord& record = recording_->cores[i];
    result_->cores.push_back(record.times);
    if (i == 0 || record.times.block != recording_->cores[i - 1].times.block) blocks_.push_back(i);
    block_of_[i] = static_cast<uint32_t>(blocks_.size() - 1);
    CoreClock& core = cores_[i];
    core.next = record.events.data();
    core.end = core.next + record.events.size();
    core.served = record.served.data();
    core.posts = record.posts;
    core.posted.clear();
    core.jobs.clear();
    core.running = core.ended = false;
    for (Pipe& pipe : core.pipes) pipe.entered = pipe.left = 0, pipe.moving = false;
  }
  blocks_.push_back(count);
}

void Replay::start_waiting_blocks() {
  while (!startable_.empty()) {
    const auto [block, time] = startable_.front();
    startable_.pop_front();
    start_block(block, time);
  }
}

// Ticks become cycles; instructions are summed by name.
void Replay::gather() {
  for (CoreTimes& core : result_->cores) {
    for (PipeTimes& pipe : core.pipes) {
      pipe.busy /= kTick;
      pipe.waiting_for_cores /= kTick;
      for (uint64_t& ticks : pipe.waiting_for) ticks /= kTick;
    }
  }
  for (const CoreTimes& core : result_->cores)
    result_->cycles = std::max(result_->cycles, core.end);
  for (size_t i = 0; i < by_site_.size(); ++i) {
    if (by_site_[i].count == 0) continue;
    InstructionTotals& sum =
        result_->instructions[{i % kTimedPipes, recording_->sites[i / kTimedPipes].name}];
    sum.count += by_site_[i].count;
    sum.cycles += by_site_[i].cycles / kTick;
    sum.bytes += by_site_[i].bytes;
  }
}

void Replay::start_block(size_t block, uint64_t time) {
  for (size_t i = blocks_[block]; i < blocks_[block + 1]; ++i) {
    CoreClock& core = cores_[i];
    core.running = true;
    core.scalar = time;
    for (Pipe& pipe : core.pipes) pipe.free = pipe.done = pipe.busy_until = time;
    times(static_cast<uint32_t>(i)).start = time / kTick;
  }
  for (size_t i = blocks_[block]; i < blocks_[block + 1]; ++i) advance(static_cast<uint32_t>(i));
}

// Cores that signal each other are taken in turns, not by recursion: rounds may be many.
void Replay::advance(uint32_t index) {
  progress(index);
  while (shared_signal_) {
    shared_signal_ = false;
    for (uint32_t i = 0; i < cores_.size(); ++i) progress(i);
  }
}

// Does everything in a core that does not need the turn of a GM copy or another core.
void Replay::progress(uint32_t index) {
  CoreClock& core = cores_[index];
  if (!core.running || core.ended) return;
  for (bool moved = true; moved;) {
    moved = issue(index, core);
    for (uint8_t p = kVector; p < kTimedPipes; ++p) {
      Pipe& pipe = core.pipes[p];
      if (pipe.entered != pipe.left && !pipe.moving && run_pipe(index, p, pipe)) moved = true;
    }
  }
  bool idle = core.next == core.end && core.jobs.empty() && !expects_jobs(index);
  for (const Pipe& pipe : core.pipes) idle &= pipe.entered == pipe.left && !pipe.moving;
  if (idle) end_core(index);
}

void Replay::end_core(uint32_t index) {
  CoreClock& core = cores_[index];
  core.ended = true;
  uint64_t end = core.scalar;
  for (const Pipe& pipe : core.pipes) end = std::max(end, pipe.done);
  times(index).end = (end + kTick - 1) / kTick;
  const uint32_t block = block_of_[index];
  block_end_[block] = std::max(block_end_[block], end);
  if (--unfinished_[block] > 0 || next_block_ + 1 >= blocks_.size()) return;
  startable_.emplace_back(next_block_++, block_end_[block]);
}

void Replay::set_signal(const RecordedEvent& e, uint64_t time) {
  signals_[e.value] = time;
  setter_[e.value] = e.site;
  if (signal_is_shared_[e.value]) shared_signal_ = true;
}

uint64_t Replay::gate_time(uint32_t gate) const {
  uint64_t time = 0;
  for (const uint32_t signal : recording_->gates[gate]) time = std::max(time, signals_[signal]);
  return time;
}

// Returns what a wait waits for; of a gate the signal that comes last.
std::optional<uint32_t> Replay::signal_of(const RecordedEvent& e) const {
  if (e.type == EventType::kWait) return e.value;
  if (e.type != EventType::kGateWait || recording_->gates[e.value].empty()) return std::nullopt;
  const Gate& all = recording_->gates[e.value];
  return *std::max_element(all.begin(), all.end(),
                           [&](uint32_t a, uint32_t b) { return signals_[a] < signals_[b]; });
}

bool Replay::issue(uint32_t index, CoreClock& core) {
  bool moved = false;
  while (core.next != core.end || take_job(index)) {
    const RecordedEvent& e = *core.next;
    if (!(e.pipe == kScalar ? issue_scalar(index, e) : enter_pipe(index, core, e))) break;
    ++core.next;
    moved = true;
  }
  return moved;
}

// Hands the cube core the work that the vector core has posted, in the order of time, as copies.
void Replay::post(uint32_t index, const RecordedEvent& e) {
  CoreClock& core = cores_[index];
  const RecordedEvent* last = recording_->cores[index].served.data() + e.value;
  const uint64_t time = core.scalar + ticks(rates_.cross_flag);
  core.posted.push_back({core.served, last, time});
  core.served = last;
  pieces_.push({time, index, kScalar});
}

void Replay::receive(uint32_t index) {
  CoreClock& caller = cores_[index];
  const size_t server = blocks_[block_of_[index]];
  cores_[server].jobs.push_back(caller.posted.front());
  caller.posted.pop_front();
  --caller.posts;
  advance(static_cast<uint32_t>(server));
}

// A cube core that has returned from the kernel's function does what its vector cores ask for.
bool Replay::take_job(uint32_t index) {
  CoreClock& core = cores_[index];
  if (core.jobs.empty()) return false;
  const Job job = core.jobs.front();
  core.jobs.pop_front();
  if (job.time > core.scalar) {
    times(index).pipes[kScalar].waiting_for_cores += job.time - core.scalar;
    core.scalar = job.time;
  }
  core.next = job.first;
  core.end = job.last;
  return core.next != core.end;
}

bool Replay::expects_jobs(uint32_t index) const {
  const size_t block = block_of_[index];
  if (blocks_[block] != index) return false;
  for (size_t i = index + size_t{1}; i < blocks_[block + 1]; ++i) {
    if (cores_[i].posts > 0) return true;
  }
  return false;
}

bool Replay::issue_scalar(uint32_t index, const RecordedEvent& e) {
  CoreClock& core = cores_[index];
  PipeTimes& scalar = times(index).pipes[kScalar];
  uint64_t until = 0;
  size_t whom = kScalar;
  switch (e.type) {
    case EventType::kWait:
      if (signals_[e.value] == kUnknown) return false;
      until = signals_[e.value] + ticks(rates_.flag);
      whom = e.from;
      break;
    case EventType::kGateWait:
      until = gate_time(e.value);
      if (until == kUnknown) return false;
      until += ticks(e.extra);
      break;
    case EventType::kBarrierAll:
      for (size_t p = kVector; p < kTimedPipes; ++p) {
        const Pipe& pipe = core.pipes[p];
        if (pipe.entered != pipe.left || pipe.moving) return false;
        if (pipe.done > until) until = pipe.done, whom = p;
      }
      break;
    default: break;
  }
  const uint64_t own = ticks(e.type == EventType::kRun ? e.value : e.issue);
  core.scalar += own;
  if (e.type == EventType::kRun) {
    ++scalar.instructions;
    note(index, kScalar, e, core.scalar - own, core.scalar, 0);
  } else {
    scalar.busy += own;
  }
  if (until > core.scalar) {
    const bool gate = e.type == EventType::kGateWait;
    (gate ? scalar.waiting_for_cores : scalar.waiting_for[whom]) += until - core.scalar;
    note_wait(index, kScalar, e, gate ? Span::kOtherCores : static_cast<uint8_t>(whom), core.scalar,
              until);
    core.scalar = until;
  }
  if (e.type == EventType::kSet) set_signal(e, core.scalar);
  if (e.type == EventType::kPost) post(index, e);
  return true;
}

bool Replay::enter_pipe(uint32_t index, CoreClock& core, const RecordedEvent& e) {
  Pipe& pipe = core.pipes[e.pipe];
  if (pipe.entered - pipe.left >= depth_) return false;
  PipeTimes& scalar = times(index).pipes[kScalar];
  core.scalar += ticks(e.issue);
  scalar.busy += ticks(e.issue);
  if (pipe.entered >= depth_) {
    const uint64_t room = pipe.starts[(pipe.entered - depth_) % kMostQueued];
    if (room > core.scalar) {
      scalar.waiting_for[e.pipe] += room - core.scalar;
      core.scalar = room;
    }
  }
  pipe.queue[pipe.entered % kMostQueued] = {&e, core.scalar};
  ++pipe.entered;
  return true;
}

// Runs what can run now. REQUIRES: something waits in the pipe, and no copy moves in it.
bool Replay::run_pipe(uint32_t index, uint8_t p, Pipe& pipe) {
  bool moved = false;
  do {
    const Queued head = pipe.queue[pipe.left % kMostQueued];
    const RecordedEvent& e = *head.event;
    const uint64_t ready = std::max(pipe.free, head.issued);
    switch (e.type) {
      case EventType::kWait: {
        if (signals_[e.value] == kUnknown) return moved;
        const uint64_t until = signals_[e.value] + ticks(rates_.flag);
        if (until > ready) {
          times(index).pipes[p].waiting_for[e.from] += until - ready;
          note_wait(index, p, e, e.from, ready, until);
        }
        pipe.free = std::max(ready, until);
        leave(pipe, pipe.free);
        break;
      }
      case EventType::kSet:
        set_signal(e, std::max(ready, pipe.done));
        leave(pipe, ready);
        break;
      case EventType::kBarrier: {
        // Waits for the results of the instruction in front, which is in execution until then.
        const uint64_t complete = std::max(ready, pipe.done) + ticks(e.value);
        times(index).pipes[p].busy += ticks(e.value);
        pipe.free = pipe.busy_until = complete;
        leave(pipe, complete);
        break;
      }
      default:
        if (head.issued > pipe.free && pipe.left > 0)
          times(index).pipes[p].waiting_for[kScalar] += head.issued - pipe.free;
        run_instruction(index, p, head, ready);
    }
    moved = true;
  } while (pipe.entered != pipe.left && !pipe.moving);
  return true;
}

void Replay::run_instruction(uint32_t index, uint8_t p, const Queued& head, uint64_t start) {
  Pipe& pipe = cores_[index].pipes[p];
  const RecordedEvent& e = *head.event;
  leave(pipe, start);
  ++times(index).pipes[p].instructions;
  if (e.type == EventType::kTransfer) {
    pipe.moving = true;
    pipe.transfer = head;
    pipe.transfer_start = start;
    pipe.moved_rows = pipe.moved_bytes = pipe.latency = 0;
    pieces_.push({start, index, p});
    return;
  }
  const bool idle = start > pipe.busy_until || pipe.busy_until == 0;
  const uint64_t end = start + ticks(e.value + (idle ? e.extra : 0));
  note(index, p, e, start, end, 0);
  pipe.free = end;
  pipe.done = std::max(pipe.done, end);
}

void Replay::note(uint32_t index, uint8_t p, const RecordedEvent& e, uint64_t start, uint64_t end,
                  uint64_t bytes) {
  Pipe& pipe = cores_[index].pipes[p];
  const uint64_t busy = end - std::min(end, std::max(start, pipe.busy_until));
  times(index).pipes[p].busy += busy;
  pipe.busy_until = std::max(pipe.busy_until, end);
  InstructionTotals& sum = by_site_[e.site * kTimedPipes + p];
  ++sum.count;
  sum.cycles += busy;
  sum.bytes += bytes;
  if (spans_) {
    const RecordedSite& site = recording_->sites[e.site];
    result_->spans.push_back({index, p, start / kTick, end / kTick, site.name, site.pc, bytes});
  }
}

void Replay::note_wait(uint32_t index, uint8_t p, const RecordedEvent& e, uint8_t from,
                       uint64_t start, uint64_t end) {
  if (!spans_ || end / kTick == start / kTick) return;
  const RecordedSite& site = recording_->sites[e.site];
  Span wait{index, p, start / kTick, end / kTick, site.name, site.pc};
  wait.waits_for = from;
  if (const auto signal = signal_of(e)) {
    const RecordedSite& giver = recording_->sites[setter_[*signal]];
    wait.giver = giver.name;
    wait.giver_pc = giver.pc;
  }
  result_->spans.push_back(wait);
}

}  // namespace opkit::core::timed
