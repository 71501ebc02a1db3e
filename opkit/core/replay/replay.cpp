#include "opkit/core/replay/replay.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <utility>

#include "opkit/core/replay/program_code.h"
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

// Tells whether the address lies where the key says: nowhere, at the range's beginning, or
// elsewhere.
bool lies_in(const LaunchRequest& request, const void* there, uint32_t range) {
  if ((there == nullptr) != (range == LaunchKey::kNull)) return false;
  return range >= request.gm_count || there == request.gm[range].base;
}

std::optional<LaunchProgram> record_once(const LaunchRequest& request, const LaunchKey& key,
                                         const LaunchReplay::Watch& watch, bool again,
                                         std::string& why) {
  const PhantomRequest phantom(request, key, again);
  ProgramRecorderOptions options;
  options.most_bytes = room_for(key);
  options.judges = !again;
  options.registers = again ? 0x7fc00001'3f800000u : 0;
  ProgramRecorder recorder(options);
  LaunchRequest recorded = phantom.request();
  recorded.observer = &recorder;
  const LaunchReport seen = watch(recorded);
  why = recorder.why();
  if (why.empty() && !is_quiet(seen)) why = "is told of something";
  if (!why.empty()) return std::nullopt;
  return recorder.take_program();
}

// Two recordings, between which everything differs that a kernel must not look at.
RecordedLaunch record(const LaunchRequest& request, const LaunchKey& key,
                      const LaunchReplay::Watch& watch, LoopHost host) {
  const auto begin = std::chrono::steady_clock::now();
  RecordedLaunch made;
  std::optional<LaunchProgram> first = record_once(request, key, watch, false, made.why), second;
  if (first) second = record_once(request, key, watch, true, made.why);
  if (!first || !second) {
    // `why` says it already.
  } else if (*first == *second) {
    made.code = ProgramCode::make(*first, host, room_for(key), made.why_passes);
    if (made.code) first->use(made.code, made.code->bytes());
    made.program = std::make_shared<const LaunchProgram>(*std::move(first));
  } else {
    made.why = kOtherPlaces;
  }
  made.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return made;
}

}  // namespace

std::shared_ptr<const LaunchProgram> LaunchReplay::program_for(const LaunchRequest& request,
                                                               const opk_soc_v1& soc,
                                                               const Watch& watch) {
  std::unique_lock lock(mutex_);
  if (!key_ || !report_.why.empty() || is_recording_ || !fits(request, soc)) return nullptr;
  if (!program_) {
    const LaunchKey key = *key_;
    is_recording_ = true;
    lock.unlock();
    RecordedLaunch made = record(request, key, watch, host_);
    lock.lock();
    is_recording_ = false;
    keep(key, std::move(made));
  }
  if (program_) count_replayed();
  return program_;
}

// A launch that is compared has run the kernel, too, and counts once.
void LaunchReplay::count_replayed() {
  ++report_.replayed;
  if (compares_ && report_.kernel_launches > 0) --report_.kernel_launches;
}

// While the launch was recorded, another one may have run the kernel and changed the key.
void LaunchReplay::keep(const LaunchKey& key, RecordedLaunch&& made) {
  report_.seconds = made.seconds;
  if (!report_.why.empty()) return;
  if (!made.program) return give_up(std::move(made.why));
  if (!key_ || !(*key_ == key)) return;
  program_ = std::move(made.program);
  report_.has_program = true;
  report_.classes = program_->classes().size();
  report_.steps = 0;
  for (const BlockClass& each : program_->classes()) report_.steps += each.steps.size();
  report_.bytes = program_->bytes();
  note_code(made);
}

void LaunchReplay::note_code(const RecordedLaunch& made) {
  const ProgramCode::Counts counts = made.code ? made.code->counts() : ProgramCode::Counts{};
  report_.groups = counts.groups;
  report_.compiled = counts.compiled;
  report_.loops = counts.loops;
  report_.code_bytes = made.code ? made.code->bytes() : 0;
  report_.why_passes = made.why_passes;
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
    if (!lies_in(request, request.args[a], key.args[a])) return false;
  }
  if (!lies_in(request, request.system_workspace, key.system_workspace)) return false;
  const GmRange& tiling = request.gm[key.args.back()];
  return std::memcmp(tiling.base, key.tiling.data(), key.tiling.size()) == 0;
}

ReplayReport LaunchReplay::report() const {
  const std::lock_guard lock(mutex_);
  return report_;
}

}  // namespace opkit::core
