#include "opkit/core/modes/overwritten.h"

#include <algorithm>
#include <utility>

#include "opkit/core/state/core.h"

namespace opkit::core {
namespace {

// Returns the bytes from the first run's start to the last one's end; pitches may be negative.
std::pair<int64_t, int64_t> span_of(const Access& a) {
  int64_t low = 0, high = 0;
  for (const auto& [count, pitch] :
       {std::pair(a.blocks, a.block_pitch), std::pair(a.repeats, a.repeat_pitch)}) {
    const int64_t last = (int64_t{count} - 1) * pitch;
    (last < 0 ? low : high) += last;
  }
  return {low, high + a.block_bytes};
}

bool same_memory(const GmRange& a, const GmRange& b) {
  return a.base == b.base && a.bytes == b.bytes && a.bytes > 0 && a.writable && b.writable;
}

}  // namespace

void Overwritten::launch_begins(const LaunchRequest& request) {
  shared_.clear();
  why_.clear();
  pieces_ = 0;
  for (uint32_t i = 0; i < request.gm_count; ++i) {
    for (uint32_t j = 0; j < i; ++j) {
      if (!same_memory(request.gm[i], request.gm[j])) continue;
      shared_.push_back({request.gm[i], {}});
      break;
    }
  }
}

bool Overwritten::admit(Core& core, const Footprint& footprint) {
  if (why_.empty()) why_ = look(core, footprint);
  if (why_.empty()) return true;
  Fault fault;
  fault.code = "EK1604";
  fault.message = "no longer watched: " + why_;
  fault.action = "give the output memory of its own";
  fault.resumable = false;
  core.refuse(std::move(fault));
  return false;
}

std::string Overwritten::look(const Core& core, const Footprint& footprint) {
  bool reads = false, writes = false;
  for (uint32_t i = 0; i < footprint.access_count; ++i) {
    const Access& access = footprint.access[i];
    Shared* shared = shared_with(access);
    if (shared == nullptr) continue;
    if (access.reference) return "a reference to its elements is given out";
    if (access.write && core.atomic != OPK_ATOMIC_NONE) return "it is added to";
    (access.write ? writes : reads) = true;
    if (access.write) continue;
    std::string why = read(*shared, access);
    if (!why.empty()) return why;
  }
  if (reads && writes) return "one instruction reads and writes it";
  for (uint32_t i = 0; writes && i < footprint.access_count; ++i) {
    const Access& access = footprint.access[i];
    if (access.write)
      if (Shared* shared = shared_with(access)) write(*shared, access);
  }
  return pieces_ > most_ ? "it is touched in too many pieces" : "";
}

Overwritten::Shared* Overwritten::shared_with(const Access& access) {
  if (access.memory != OPK_MEM_GM || shared_.empty()) return nullptr;
  const auto [low, high] = span_of(access);
  for (Shared& shared : shared_) {
    const int64_t at = access.address - shared.range.base;
    if (at + high > 0 && at + low < static_cast<int64_t>(shared.range.bytes)) return &shared;
  }
  return nullptr;
}

// Visits begin and end of each run, counted from the start of the tensor, as far as it lies in it.
template <typename Visit>
void Overwritten::each_run(const Shared& shared, const Access& access, Visit&& visit) {
  const int64_t at = access.address - shared.range.base;
  const auto inside = [&](int64_t from, uint64_t bytes) {
    const auto last = static_cast<int64_t>(shared.range.bytes);
    const int64_t begin = std::clamp<int64_t>(from, 0, last);
    const int64_t end = std::clamp<int64_t>(from + static_cast<int64_t>(bytes), 0, last);
    ++pieces_;
    if (begin < end) visit(static_cast<uint64_t>(begin), static_cast<uint64_t>(end));
  };
  if (is_dense(access)) {
    return inside(at, uint64_t{access.block_bytes} * access.blocks * access.repeats);
  }
  for (uint32_t r = 0; r < access.repeats && pieces_ <= most_; ++r) {
    for (uint32_t b = 0; b < access.blocks; ++b)
      inside(at + r * access.repeat_pitch + b * access.block_pitch, access.block_bytes);
  }
}

std::string Overwritten::read(const Shared& shared, const Access& access) {
  bool again = false;
  each_run(shared, access, [&](uint64_t begin, uint64_t end) {
    const auto next = shared.written.lower_bound(end);  // the first part behind the run
    again |= next != shared.written.begin() && std::prev(next)->second > begin;
  });
  return again ? "bytes of it are read after they were written" : "";
}

void Overwritten::write(Shared& shared, const Access& access) {
  each_run(shared, access, [&](uint64_t begin, uint64_t end) {
    auto part = shared.written.lower_bound(begin);
    if (part != shared.written.begin() && std::prev(part)->second >= begin) --part;
    while (part != shared.written.end() && part->first <= end) {
      begin = std::min(begin, part->first);
      end = std::max(end, part->second);
      part = shared.written.erase(part);
    }
    shared.written.emplace(begin, end);
  });
}

}  // namespace opkit::core
