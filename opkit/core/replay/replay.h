// LaunchReplay: what the launches of one call have recorded (docs/decisions/0040). The first launch
// is the kernel's; the second one records what the kernel issues, twice, on tensors that are not
// there, and where both recordings are one program, that runs in the kernel's place from then on.
// A launch that asks for anything else (other tiling bytes, sizes, overlapping tensors) is the
// kernel's again.
#ifndef OPKIT_CORE_REPLAY_REPLAY_H_
#define OPKIT_CORE_REPLAY_REPLAY_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "opkit/abi/soc.h"
#include "opkit/core/replay/loop_code.h"
#include "opkit/core/replay/program.h"
#include "opkit/core/state/launch_request.h"

namespace opkit::core {

struct ReplayReport {
  uint64_t kernel_launches = 0, replayed = 0;
  // Why the kernel runs: the rest of a sentence that begins with "the kernel"; empty: it does not,
  // or nobody has tried yet.
  std::string why;
  bool has_program = false;
  // Count classes of the program's blocks, and the steps and bytes of all classes.
  uint64_t classes = 0, steps = 0, bytes = 0;
  double seconds = 0;  // that recording took, compiling included
  // Count groups of joined steps, such that run as machine code, and different loops among them;
  // code_bytes is a part of bytes.
  uint64_t groups = 0, compiled = 0, loops = 0, code_bytes = 0;
  // Why nothing runs as machine code: the rest of a sentence that begins with "passes run,
  // because"; empty: something does, or nothing is worth it.
  std::string why_passes = {};
};

// What makes launches the same, but for data and where tensors lie.
struct LaunchKey {
  const opk_kernel_v1* kernel = nullptr;
  uint32_t block_dim = 0;
  uint64_t tiling_key = 0;
  bool keep_inf_nan = true;
  uint32_t npu_arch = 0;
  uint64_t ub_bytes = 0;
  struct Range {
    uint64_t bytes = 0;
    bool writable = true, input = false, has_tail = false;
    uint32_t same_as = 0;  // the first range that lies there
    bool operator==(const Range&) const = default;
  };
  std::vector<Range> ranges;
  std::vector<uint32_t> args;  // holds for each argument its range, or kNull, or kOther
  uint32_t system_workspace = kNull;
  std::vector<uint8_t> tiling;

  static constexpr uint32_t kNull = ~0u, kOther = ~0u - 1;
  bool operator==(const LaunchKey&) const = default;
};

// What came of recording a launch.
struct RecordedLaunch {
  std::shared_ptr<const LaunchProgram> program;
  std::string why;  // there is none
  double seconds = 0;
  std::shared_ptr<const ProgramCode> code;
  std::string why_passes;
};

class LaunchReplay {
 public:
  // compares: the kernel runs in each launch, and its program, from the first launch on, too; both
  // are to give the same bytes. host: what programs are compiled for; kNone: passes run.
  explicit LaunchReplay(bool compares = false, LoopHost host = loop_host())
      : compares_(compares), host_(host) {}
  bool compares() const { return compares_; }

  // Runs a launch that somebody watches, on the calling thread.
  using Watch = std::function<LaunchReport(const LaunchRequest&)>;

  // Returns what such a launch is to run: a program, or nullptr: the kernel. Records when it is
  // time, and meanwhile other threads get nullptr; they wait for nothing.
  std::shared_ptr<const LaunchProgram> program_for(const LaunchRequest& request,
                                                   const opk_soc_v1& soc, const Watch& watch);
  // A launch of the kernel has ended.
  void kernel_ran(const LaunchRequest& request, const opk_soc_v1& soc, const LaunchReport& report);

  ReplayReport report() const;

 private:
  bool fits(const LaunchRequest& request, const opk_soc_v1& soc) const;
  void keep(const LaunchKey& key, RecordedLaunch&& made);
  void note_code(const RecordedLaunch& made);
  void count_replayed();
  void give_up(std::string why) {
    report_.why = std::move(why);
    report_.has_program = false;
    program_.reset();
  }

  // Keys for which programs are made, one after the other.
  static constexpr uint32_t kMostKeys = 4;

  const bool compares_;
  const LoopHost host_;
  mutable std::mutex mutex_;
  std::optional<LaunchKey> key_;  // describes the last launch of the kernel, or of the program
  uint32_t keys_ = 0;
  bool is_recording_ = false;
  std::shared_ptr<const LaunchProgram> program_;
  ReplayReport report_;
};

// Returns the key of a launch; or why it has none: the rest of a sentence that begins with "the
// kernel".
std::optional<LaunchKey> key_of(const LaunchRequest& request, const opk_soc_v1& soc,
                                std::string* why);

// A request like another one, of which no tensor is there: they lie at addresses that nobody has,
// in another order and elsewhere in their pages when `again`.
class PhantomRequest {
 public:
  PhantomRequest(const LaunchRequest& request, const LaunchKey& key, bool again);
  const LaunchRequest& request() const { return request_; }

 private:
  LaunchRequest request_;
  std::vector<GmRange> gm_;
  std::vector<void*> args_;
};

}  // namespace opkit::core

#endif  // OPKIT_CORE_REPLAY_REPLAY_H_
