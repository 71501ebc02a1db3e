#include "opkit/core/modes/reorder/pending.h"

#include <algorithm>
#include <utility>

namespace opkit::core::reorder {

Slot slot_of(opk_pipe pipe) {
  if (pipe == OPK_PIPE_FIX) return kFix;
  return pipe > OPK_PIPE_MTE3 ? kS : static_cast<Slot>(pipe);
}

Extent extent_of(const Access& a) {
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
  return entry;
}

void EntryQueue::drop_first() {
  first_ = (first_ + 1) % kDepth;
  --size_;
}

Entry& Pending::issue(Slot pipe) {
  Pipe& p = pipes_[pipe];
  if (p.entries.full()) do_first(pipe);
  ++p.entered;
  return p.entries.add();
}

Moment Pending::moment(Slot pipe) {
  if (pipe == kS) return {};
  fence(pipe);
  return {pipe, pipes_[pipe].entered};
}

void Pending::fence(Slot pipe) {
  EntryQueue& entries = pipes_[pipe].entries;
  if (!entries.empty()) entries[entries.size() - 1].fence = true;
}

void Pending::wait(Slot pipe, const Moment& moment) {
  if (done(moment)) return;
  if (pipe == kS) return finish(moment);
  Entry& entry = issue(pipe);
  entry.what = moment;
  entry.fence = true;
}

void Pending::finish(const Moment& moment) {
  while (!done(moment)) do_first(moment.pipe);
}

void Pending::finish_all(const std::array<Slot, kSlots>& order) {
  for (const Slot pipe : order) finish(pipe);
}

void Pending::finish_touching(Slot pipe, const Extent& extent) {
  const Pipe& p = pipes_[pipe];
  for (size_t i = p.entries.size(); i > 0; --i) {
    const auto& extents = p.entries[i - 1].extents;
    if (std::any_of(extents.begin(), extents.end(),
                    [&](const Extent& e) { return e.meets(extent); }))
      return finish({pipe, pipe == kV ? p.entered : p.left + i});
  }
}

bool Pending::step(Slot pipe) {
  Pipe& p = pipes_[pipe];
  if (p.entries.empty()) return false;
  const auto* until = std::get_if<Moment>(&p.entries[0].what);
  if (until && !done(*until)) return false;
  do_first(pipe);
  return true;
}

void Pending::swap_first(Slot pipe) {
  auto& entries = pipes_[pipe].entries;
  if (entries.size() < 2 || entries[0].fence) return;
  const auto free = [](const Entry& e) {
    return std::holds_alternative<opk_copy_v1>(e.what) && e.registers.atomic == OPK_ATOMIC_NONE;
  };
  if (!free(entries[0]) || !free(entries[1])) return;
  std::swap(entries[0], entries[1]);
  std::swap(entries[0].fence, entries[1].fence);
}

// A wait refers to entries that were issued before it, so that this ends.
void Pending::do_first(Slot pipe) {
  Pipe& p = pipes_[pipe];
  const Entry& entry = p.entries[0];
  if (const auto* until = std::get_if<Moment>(&entry.what)) {
    finish(*until);
  } else {
    run(entry);
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
