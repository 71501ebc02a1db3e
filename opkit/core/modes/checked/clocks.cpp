#include "opkit/core/modes/checked/clocks.h"

#include <algorithm>

namespace opkit::core::checked {

const char* slot_name(uint8_t slot) {
  static constexpr const char* kNames[] = {"S", "V", "M", "MTE1", "MTE2", "MTE3", "FIX"};
  return slot < kSlots ? kNames[slot] : "?";
}

Remote join(const Remote& a, const Remote& b) {
  if (!a || a == b) return b;
  if (!b) return a;
  auto both = std::make_shared<std::vector<uint32_t>>(*a);
  both->resize(std::max(a->size(), b->size()));
  for (size_t i = 0; i < b->size(); ++i) (*both)[i] = std::max((*both)[i], (*b)[i]);
  return both;
}

void CoreClocks::reset() {
  now_.fill(1);
  call_.fill(1);
  clocks_.fill({});
  older_ = {};
  again_ = {};
  seen_s_.fill(0);
  s_version_ = 0;
  for (auto& epochs : history_) epochs.clear();
}

void CoreClocks::next_epoch(uint8_t slot) {
  history_[slot].push_back(clocks_[slot].known);
  ++now_[slot];
}

Clock CoreClocks::release(uint8_t slot) {
  issue(slot);
  Clock released = clocks_[slot];
  released.known[slot] = now_[slot];
  released.via[slot] = 0;
  next_epoch(slot);
  return released;
}

Clock CoreClocks::release_all() {
  Clock released;
  for (uint8_t slot = 0; slot < kSlots; ++slot) {
    released.known[slot] = now_[slot];
    released.remote = join(released.remote, clocks_[slot].remote);
    next_epoch(slot);
  }
  return released;
}

void CoreClocks::push(std::array<Older, kOlder>& last, Older one) {
  if (last[0].known == one.known && last[0].via == one.via) return;
  std::copy_backward(last.begin(), last.end() - 1, last.end());
  last[0] = one;
}

void CoreClocks::learn(uint8_t slot, uint8_t from, uint32_t epoch, uint64_t sites) {
  Clock& mine = clocks_[slot];
  if (mine.via[from] != sites) push(older_[slot][from], {mine.known[from], mine.via[from]});
  mine.known[from] = epoch;
  mine.via[from] = sites;
}

uint64_t CoreClocks::sites_of(uint8_t slot, uint8_t from, uint32_t epoch) const {
  uint64_t sites = clocks_[slot].via[from];
  for (const Older& o : older_[slot][from]) {
    if (o.known < epoch) break;
    sites = o.via;
  }
  return sites;
}

uint64_t CoreClocks::spared(uint8_t slot, uint8_t from, uint32_t epoch) const {
  uint64_t common = clocks_[slot].via[from];
  for (const auto* last : {&older_[slot][from], &again_[slot][from]}) {
    for (const Older& o : *last) {
      if (o.known >= epoch) common &= o.via;
    }
  }
  return ~common;
}

void CoreClocks::acquire(uint8_t slot, const Clock& other, uint64_t sites) {
  Clock& mine = clocks_[slot];
  for (uint8_t k = 0; k < kSlots; ++k) {
    if (other.known[k] > mine.known[k])
      learn(slot, k, other.known[k], other.via[k] | sites);
    else if (sites && k < kSlots && other.known[k])
      push(again_[slot][k], {other.known[k], other.via[k] | sites});
  }
  if (mine.remote != other.remote) mine.remote = join(mine.remote, other.remote);
  if (slot == kS) ++s_version_;
}

void CoreClocks::acquire_all(const Clock& other, uint64_t sites) {
  for (uint8_t slot = 0; slot < kSlots; ++slot) acquire(slot, other, sites);
}

void CoreClocks::begin_call() {
  for (uint8_t slot = 0; slot < kSlots; ++slot) next_epoch(slot);
  call_ = now_;
}

void CoreClocks::inherit(uint8_t slot) {
  if (slot != kS) acquire(slot, clocks_[kS], 0);
  seen_s_[slot] = s_version_;
}

void CoreClocks::barrier(uint8_t slot, uint64_t sites) {
  issue(slot);
  learn(slot, slot, now_[slot], sites);
  next_epoch(slot);
  if (slot == kS) ++s_version_;
}

void CoreClocks::barrier_all(uint64_t sites) { acquire_all(release_all(), sites); }

void CoreClocks::order(uint8_t slot, uint8_t from, uint32_t epoch) {
  Clock then;
  then.known = epoch == now_[from] ? clocks_[from].known : history_[from][epoch - 1];
  then.known[from] = epoch;
  then.remote = clocks_[from].remote;
  if (epoch == now_[from]) next_epoch(from);
  acquire(slot, then, 0);
}

bool CoreClocks::knows_remote(uint8_t slot, uint32_t core, uint8_t from, uint32_t epoch) const {
  const Remote& remote = clocks_[slot].remote;
  const size_t index = size_t{core} * kSlotPitch + from;
  return remote && index < remote->size() && (*remote)[index] >= epoch;
}

}  // namespace opkit::core::checked
