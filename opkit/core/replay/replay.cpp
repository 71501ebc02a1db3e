#include "opkit/core/replay/replay.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <utility>

#include "opkit/core/replay/recorder.h"

namespace opkit::core {
namespace {

// A program is no larger than an eighth of the tensors that it works on, or than this.
constexpr uint64_t kLeastRoom = 64 << 10;

uint64_t room_for(const LaunchKey& key) {
  uint64_t bytes = 0;
  for (const LaunchKey::Range& range : key.ranges) bytes += range.bytes;
  return std::max(kLeastRoom, bytes / 8);
}

constexpr const char* kOtherPlaces = "does something else where tensors lie elsewhere";

bool is_quiet(const LaunchReport& report) {
  return report.faults.empty() && report.warnings.empty() && report.printed.empty();
}

}  // namespace

std::shared_ptr<const LaunchProgram> LaunchReplay::program_for(const LaunchRequest& request,
                                                               const opk_soc_v1& soc,
                                                               const Watch& watch) {
  const std::lock_guard lock(mutex_);
  if (!key_ || !report_.why.empty() || !fits(request, soc)) return nullptr;
  if (!program_) record(request, soc, watch);
  if (program_) ++report_.replayed;
  return program_;
}

void LaunchReplay::kernel_ran(const LaunchRequest& request, const opk_soc_v1& soc,
                              const LaunchReport& report) {
  const std::lock_guard lock(mutex_);
  ++report_.kernel_launches;
  if (!report_.why.empty()) return;
  if (!is_quiet(report)) return give_up("printed something, or was told of something");
  if (key_ && fits(request, soc)) return;
  if (++keys_ > kMostKeys) return give_up("is launched with ever other tiling, sizes or places");
  std::string why;
  key_ = key_of(request, soc, &why);
  program_.reset();
  report_.has_program = false;
  if (!key_) give_up(std::move(why));
}

bool LaunchReplay::fits(const LaunchRequest& request, const opk_soc_v1& soc) const {
  const LaunchKey& key = *key_;
  if (request.kernel != key.kernel || request.block_dim != key.block_dim ||
      request.tiling_key != key.tiling_key || request.keep_inf_nan != key.keep_inf_nan ||
      request.gm_count != key.ranges.size() || soc.npu_arch != key.npu_arch ||
      soc.memory_size[OPK_MEM_UB] != key.ub_bytes)
    return false;
  for (uint32_t i = 0; i < request.gm_count; ++i) {
    const GmRange& x = request.gm[i];
    const LaunchKey::Range& kept = key.ranges[i];
    if (x.bytes != kept.bytes || x.writable != kept.writable || x.input != kept.input ||
        x.has_tail != kept.has_tail)
      return false;
    for (uint32_t j = 0; j < i && x.bytes != 0; ++j) {
      const GmRange& y = request.gm[j];
      if (kept.same_as == key.ranges[j].same_as
              ? x.base != y.base
              : x.base < y.base + y.bytes && y.base < x.base + x.bytes)
        return false;
    }
  }
  for (size_t a = 0; a < key.args.size(); ++a) {
    const void* there = request.args[a];
    const uint32_t range = key.args[a];
    if ((there == nullptr) != (range == LaunchKey::kNull)) return false;
    if (range < request.gm_count && there != request.gm[range].base) return false;
  }
  const GmRange& tiling = request.gm[key.args.back()];
  return std::memcmp(tiling.base, key.tiling.data(), key.tiling.size()) == 0;
}

// Two recordings, between which everything differs that a kernel must not look at.
void LaunchReplay::record(const LaunchRequest& request, const opk_soc_v1&, const Watch& watch) {
  const auto begin = std::chrono::steady_clock::now();
  std::optional<LaunchProgram> first = record_once(request, watch, false);
  std::optional<LaunchProgram> second;
  if (first) second = record_once(request, watch, true);
  report_.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  if (!first || !second) return;
  if (!(*first == *second)) return give_up(kOtherPlaces);
  report_.has_program = true;
  report_.classes = first->classes().size();
  report_.steps = 0;
  for (const BlockClass& each : first->classes()) report_.steps += each.steps.size();
  report_.bytes = first->bytes();
  program_ = std::make_shared<const LaunchProgram>(*std::move(first));
}

std::optional<LaunchProgram> LaunchReplay::record_once(const LaunchRequest& request,
                                                       const Watch& watch, bool again) {
  const PhantomRequest phantom(request, *key_, again);
  ProgramRecorderOptions options;
  options.most_bytes = room_for(*key_);
  options.looks_for_leftovers = !again;  // both recordings are to be one program
  options.registers = again ? 0x7fc00001'3f800000u : 0;
  ProgramRecorder recorder(options);
  LaunchRequest recorded = phantom.request();
  recorded.observer = &recorder;
  const LaunchReport seen = watch(recorded);
  if (!recorder.why().empty()) return give_up(recorder.why()), std::nullopt;
  if (!is_quiet(seen)) return give_up("is told of something"), std::nullopt;
  return recorder.take_program();
}

ReplayReport LaunchReplay::report() const {
  const std::lock_guard lock(mutex_);
  return report_;
}

}  // namespace opkit::core
