// ModelProfile: where a frame of an offline model goes: every step on the device's clock by the
// Timed model, the host's operators by this host's clock, copies by an assumed rate of the link.
#ifndef OPKIT_MODEL_PROFILE_MODEL_PROFILE_H_
#define OPKIT_MODEL_PROFILE_MODEL_PROFILE_H_

#include <cstdint>
#include <string>
#include <vector>

#include "opkit/model/run/model_runner.h"

namespace opkit::model_profile {

// Who does a piece of work; a row of the timeline.
enum class TimelineRow : uint8_t { kCopies, kStream, kHost };
std::string_view name_of(TimelineRow row);

struct Piece {
  std::string name;  // the step's, or the tensor that is copied
  std::string op;    // "MatMul", "host Softmax", "copy to the device"
  TimelineRow row = TimelineRow::kStream;
  uint64_t start_ns = 0, ns = 0;  // since the first frame began; of a kernel with its launch
  uint32_t frame = 0;             // counts from 0, the first frame
  // Hold a step's operands and results, as the model's author sees them.
  std::vector<TensorDesc> inputs = {}, outputs = {};
  // Bytes of device memory that hold something meanwhile: weights, and of the block what lives. Of
  // copies weights alone.
  uint64_t memory = 0;
  // Hold what a kernel's launch said; zero for other work.
  uint64_t busy_ns = 0;    // without its launch
  uint64_t hbm_bytes = 0;  // counts bytes to and from HBM
  double operations = 0;   // counts what the unit that does most does, as trace::Roofline counts
  double of_roof = 0;      // share of what the chip's peak and HBM allow, without the launch
  uint32_t block_dim = 0;
  bool memory_bound = false, on_int8 = false;
  bool on_cube = false, on_vector = false;  // kinds of cores that the launch used
};

// Parts of a frame, in nanoseconds. T_idle is the stream's: it waits for launches and for the host.
struct FrameParts {
  uint64_t h2d = 0, infer = 0, d2h = 0, post = 0, idle = 0;
  uint64_t total() const { return h2d + infer + d2h + post + idle; }
};

struct ModelProfile {
  std::string model, soc;
  std::vector<int64_t> gear;        // its values; of a model without gears none
  double link_gbps = 0;             // assumed
  std::vector<Piece> pieces;        // is sorted by start
  FrameParts parts;                 // are the parts of a frame; of several their mean
  std::vector<uint64_t> frames_ns;  // holds the time of each frame
  uint64_t peak_bytes = 0;          // counts device memory

  uint64_t all_ns() const;  // sums up all frames
};

struct ProfileOptions {
  unsigned threads = 0;   // counts the threads of the host; 0: one per core
  double link_gbps = 16;  // 10^9 bytes per second, each way
  unsigned frames = 1;    // one behind the other
};

// Runs the model's frames, every kernel under the Timed mode with L2 cold. `ops` must have its
// plugins. Errors: ModelRunner's; OPK-CLI-015 a chip of which nobody measured a figure.
Result<ModelProfile> profile(model::OfflineModel model, const InstalledOps& ops,
                             const std::vector<Tensor>& inputs, const ProfileOptions& options);

// What a kernel's launch said.
struct KernelTimes {
  uint64_t task_ns = 0, busy_ns = 0, hbm_bytes = 0;
  bool memory_bound = false;
  bool on_cube = false, on_vector = false;
  double operations = 0, of_roof = 0;  // mean what they mean in Piece
};
// Returns the frame laid out on the timeline. `ran`: of every step that ran, read of those on the
// host; `kernels`: of the kernel steps among them.
ModelProfile lay_out(const model::OfflineModel& model, size_t gear,
                     const std::vector<KernelTimes>& kernels,
                     const std::vector<model_run::RanStep>& ran, double link_gbps);

// Lays frames of one model one behind the other. REQUIRES: there is one at least.
ModelProfile join_frames(std::vector<ModelProfile> frames);

}  // namespace opkit::model_profile

#endif  // OPKIT_MODEL_PROFILE_MODEL_PROFILE_H_
