#include "opkit/core/modes/reorder/pending.h"

#include <algorithm>
#include <utility>

namespace opkit::core::reorder {

PendingPipe slot_of(opk_pipe pipe) {
  if (pipe == OPK_PIPE_FIX) return kFix;
  return pipe > OPK_PIPE_MTE3 ? kS : static_cast<PendingPipe>(pipe);
}

ByteExtent extent_of(const Access& a) {
  const int64_t blocks = a.block_pitch * static_cast<int64_t>(std::max(a.blocks, 1u) - 1);
  const int64_t repeats = a.repeat_pitch * static_cast<int64_t>(std::max(a.repeats, 1u) - 1);
  const int64_t low = std::min<int64_t>(blocks, 0) + std::min<int64_t>(repeats, 0);
  const int64_t high = std::max<int64_t>(blocks, 0) + std::max<int64_t>(repeats, 0);
  return {a.address + low, a.address + high + a.block_bytes, a.write};
}

Entry& EntryQueue::add() {
  if (places_.empty()) places_.resize(kDepth);
  Entry& entry = (*this)[size_++];
  entry.extents.clear();
  entry.fence = false;
  entry.ahead = false;
  return entry;
}

void EntryQueue::drop_first() {
  first_ = (first_ + 1) % kDepth;
  --size_;
}

Entry& Pending::issue(PendingPipe pipe) {
  Pipe& p = pipes_[pipe];
  if (p.entries.full()) do_first(pipe);
  ++p.entered;
  return p.entries.add();
}

PipeMoment Pending::moment(PendingPipe pipe) {
  if (pipe == kS) return {};
  fence(pipe);
  return {pipe, pipes_[pipe].entered};
}

void Pending::fence(PendingPipe pipe) {
  EntryQueue& entries = pipes_[pipe].entries;
  if (!entries.empty()) entries[entries.size() - 1].fence = true;
}

void Pending::wait(PendingPipe pipe, const PipeMoment& moment) {
  if (pipe == kS) return s_waits(moment);
  if (done(moment)) return;
  Entry& entry = issue(pipe);
  entry.what = moment;
  entry.fence = true;
}

void Pending::finish(const PipeMoment& moment) {
  while (!done(moment)) do_first(moment.pipe);
}

void Pending::s_waits(const PipeMoment& moment) {
  finish(moment);
  Pipe& p = pipes_[moment.pipe];
  p.known_to_s = std::max(p.known_to_s, moment.count);
  while (!p.done.empty() && p.done.front().count <= p.known_to_s) p.done.pop_front();
}

void Pending::finish_all(const std::array<PendingPipe, kSlots>& order) {
  for (const PendingPipe pipe : order) s_waits({pipe, pipes_[pipe].entered});
}

void Pending::finish_touching(PendingPipe pipe, const ByteExtent& extent) {
  const Pipe& p = pipes_[pipe];
  const auto touch = [&](const std::vector<ByteExtent>& extents) {
    return std::any_of(extents.begin(), extents.end(),
                       [&](const ByteExtent& e) { return e.meets(extent); });
  };
  for (size_t i = p.entries.size(); i > 0; --i) {
    if (touch(p.entries[i - 1].extents))
      return s_waits({pipe, pipe == kV ? p.entered : p.left + i});
  }
  for (auto one = p.done.rbegin(); one != p.done.rend(); ++one) {
    if (touch(one->extents)) return s_waits({pipe, pipe == kV ? p.entered : one->count});
  }
}

void Pending::remember(PendingPipe pipe, const Entry& entry) {
  if (pipe != kV && pipe != kMte2 && pipe != kMte3) return;
  Pipe& p = pipes_[pipe];
  if (p.done.size() >= kRemembered) p.done.pop_front();
  p.done.push_back({p.left + (entry.ahead ? 2 : 1), entry.extents});
}

bool Pending::step(PendingPipe pipe) {
  Pipe& p = pipes_[pipe];
  if (p.entries.empty()) return false;
  const auto* until = std::get_if<PipeMoment>(&p.entries[0].what);
  if (until && !done(*until)) return false;
  do_first(pipe);
  return true;
}

void Pending::swap_first(PendingPipe pipe) {
  auto& entries = pipes_[pipe].entries;
  if (entries.size() < 2 || entries[0].fence) return;
  const auto free = [](const Entry& e) {
    return std::holds_alternative<opk_copy_v1>(e.what) && e.registers.atomic == OPK_ATOMIC_NONE;
  };
  if (!free(entries[0]) || !free(entries[1])) return;
  std::swap(entries[0], entries[1]);
  std::swap(entries[0].fence, entries[1].fence);
  entries[0].ahead = true;
}

// A wait refers to entries that were issued before it, so that this ends.
void Pending::do_first(PendingPipe pipe) {
  Pipe& p = pipes_[pipe];
  const Entry& entry = p.entries[0];
  if (const auto* until = std::get_if<PipeMoment>(&entry.what)) {
    finish(*until);
  } else {
    run(entry);
    remember(pipe, entry);
  }
  p.entries.drop_first();
  ++p.left;
}

void Pending::run(const Entry& entry) {
  opk_core& hot = core_;
  const opk_core now = hot;
  hot = entry.registers;
  running_ = true;
  if (const auto* v = std::get_if<opk_vector_v1>(&entry.what)) hot.isa->vector(&hot, v);
  if (const auto* c = std::get_if<opk_copy_v1>(&entry.what)) hot.isa->copy(&hot, c);
  if (const auto* l = std::get_if<opk_load_v1>(&entry.what)) hot.isa->load(&hot, l);
  if (const auto* m = std::get_if<opk_mmad_v1>(&entry.what)) hot.isa->mmad(&hot, m);
  if (const auto* f = std::get_if<opk_fixpipe_v1>(&entry.what)) hot.isa->fixpipe(&hot, f);
  running_ = false;
  hot = now;
}

}  // namespace opkit::core::reorder
