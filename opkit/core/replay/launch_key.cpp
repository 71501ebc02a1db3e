#include <algorithm>
#include <cstring>

#include "opkit/abi/aicpu.h"
#include "opkit/core/modes/dry.h"
#include "opkit/core/replay/replay.h"
#include "opkit/core/state/gm_room.h"

namespace opkit::core {
namespace {

constexpr uint64_t kPhantomPage = 4096;

// An empty tensor may lie where the next one begins, which is the one that is meant then.
uint32_t range_at(const LaunchRequest& request, const void* address) {
  uint32_t empty = LaunchKey::kOther;
  for (uint32_t i = 0; i < request.gm_count; ++i) {
    if (request.gm[i].base != address) continue;
    if (request.gm[i].bytes != 0) return i;
    if (empty == LaunchKey::kOther) empty = i;
  }
  return empty;
}

const char* what_forbids(const LaunchRequest& request) {
  const opk_kernel_v1& kernel = *request.kernel;
  if (kernel.task_type == OPK_TASK_AICPU) return "is a CpuKernel, which issues no instructions";
  if (kernel.arg_count == 0) return "has arguments that nobody has counted";
  if (request.gm == nullptr) return "works on tensors that nobody has told of";
  return nullptr;
}

void take_ranges(const LaunchRequest& request, LaunchKey& key) {
  for (uint32_t i = 0; i < request.gm_count; ++i) {
    const GmRange& range = request.gm[i];
    LaunchKey::Range& kept = key.ranges.emplace_back();
    kept.bytes = range.bytes;
    kept.writable = range.writable;
    kept.input = range.input;
    kept.has_tail = range.has_tail;
    kept.same_as = range.bytes == 0 ? i : std::min(i, range_at(request, range.base));
  }
}

// Tensors that lie in part on one another. Those at one place are one for a program, which knows
// their bytes by the first: all of them must reach as far.
bool tensors_overlap(const LaunchRequest& request, const LaunchKey& key) {
  for (uint32_t i = 0; i < request.gm_count; ++i) {
    const GmRange& x = request.gm[i];
    for (uint32_t j = 0; j < i; ++j) {
      const GmRange& y = request.gm[j];
      if (x.bytes == 0 || y.bytes == 0) continue;
      if (key.ranges[i].same_as == key.ranges[j].same_as) {
        if (readable_bytes(x) != readable_bytes(y)) return true;
      } else if (x.base < y.base + y.bytes && y.base < x.base + x.bytes) {
        return true;
      }
    }
  }
  return false;
}

uint32_t place_of(const LaunchRequest& request, const void* address) {
  return address ? range_at(request, address) : LaunchKey::kNull;
}

}  // namespace

std::optional<LaunchKey> key_of(const LaunchRequest& request, const opk_soc_v1& soc,
                                std::string* why) {
  if (const char* forbids = what_forbids(request)) return *why = forbids, std::nullopt;
  LaunchKey key;
  key.kernel = request.kernel;
  key.block_dim = request.block_dim;
  key.tiling_key = request.tiling_key;
  key.keep_inf_nan = request.keep_inf_nan;
  key.npu_arch = soc.npu_arch;
  key.ub_bytes = soc.memory_size[OPK_MEM_UB];
  take_ranges(request, key);
  if (tensors_overlap(request, key)) return *why = "gets tensors that overlap", std::nullopt;
  const uint32_t last = request.kernel->arg_count - 1;
  for (uint32_t a = 0; a <= last; ++a) key.args.push_back(place_of(request, request.args[a]));
  key.system_workspace = place_of(request, request.system_workspace);
  // Tiling is the one argument that kernels read by themselves.
  const uint32_t tiling = key.args[last];
  if (tiling >= request.gm_count) return *why = "gets no tiling bytes", std::nullopt;
  const GmRange& range = request.gm[tiling];
  key.tiling.assign(range.base, range.base + range.bytes);
  return key;
}

PhantomRequest::PhantomRequest(const LaunchRequest& request, const LaunchKey& key, bool again)
    : request_(request), gm_(request.gm, request.gm + request.gm_count) {
  const uint32_t tiling = key.args.back();
  uint64_t used = kPhantomPage;
  const auto place = [&](uint64_t bytes, const void* like) {
    const auto in_page = reinterpret_cast<uint64_t>(like) + (again ? 64 : 0);
    const uint64_t at = kPhantomGm + used + in_page % kPhantomPage;
    used += (bytes + 2 * kPhantomPage) / kPhantomPage * kPhantomPage + kPhantomPage;
    return reinterpret_cast<uint8_t*>(at);
  };
  const auto count = static_cast<uint32_t>(gm_.size());
  for (uint32_t n = 0; n < count; ++n) {
    const uint32_t i = again ? count - 1 - n : n;
    if (i == tiling || gm_[i].base == nullptr || key.ranges[i].same_as != i) continue;
    gm_[i].base = place(mapped_bytes(gm_[i].bytes), request.gm[i].base);
  }
  for (uint32_t i = 0; i < count; ++i) {
    if (i != tiling) gm_[i].base = gm_[key.ranges[i].same_as].base;
  }
  const auto phantom_of = [&](uint32_t range, void* real) -> void* {
    if (range == LaunchKey::kNull) return nullptr;
    if (range == LaunchKey::kOther) return place(kPhantomPage, real);
    return const_cast<uint8_t*>(gm_[range].base);
  };
  for (size_t a = 0; a < key.args.size(); ++a)
    args_.push_back(phantom_of(key.args[a], request.args[a]));
  request_.gm = gm_.data();
  request_.args = args_.data();
  request_.system_workspace =
      static_cast<uint8_t*>(phantom_of(key.system_workspace, request.system_workspace));
}

}  // namespace opkit::core
