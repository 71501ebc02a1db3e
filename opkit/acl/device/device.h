// EmulatedDevice: one emulated chip of a program: its memory, its streams, and the machine that
// runs kernels.
#ifndef OPKIT_ACL_DEVICE_DEVICE_H_
#define OPKIT_ACL_DEVICE_DEVICE_H_

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

#include "opkit/acl/base/handle_table.h"
#include "opkit/acl/device/memory_pool.h"
#include "opkit/acl/device/mode.h"
#include "opkit/acl/streams/stream.h"
#include "opkit/call/plan/placed_call.h"
#include "opkit/core/machine.h"

namespace opkit::acl {

struct KernelArguments {
  void* block = nullptr;  // what the entries get as args[0]
  // What the arguments in it point to, by their number; nullptr for others. Messages call memory by
  // them.
  std::vector<const void*> pointers;
  const char* names = "";  // names the parameters, "x,y,tiling"; what has none goes by its number
};

class OPKIT_ACL_SHARED EmulatedDevice {
 public:
  explicit EmulatedDevice(const opk_soc_v1& soc);  // copied; its texts must outlive the device

  const opk_soc_v1& soc() const { return soc_; }
  DeviceMemory& memory() { return memory_; }
  const DeviceMemory& memory() const { return memory_; }
  HandleTable<Stream>& streams() { return streams_; }
  const HandleTable<Stream>& streams() const { return streams_; }
  // Returns the default stream for a null handle; nullptr: no such stream.
  Stream* find(aclrtStream stream);

  // Runs the kernel to its end, in the mode that was chosen; false: it was wrong, and stderr says
  // so. Threads may run kernels at once: side by side in Fast mode, one after the other in modes
  // that watch.
  bool run(const opk_kernel_v1& kernel, uint32_t blocks, const KernelArguments& arguments,
           uint64_t tiling_key);
  // Runs a call of an installed op. REQUIRES: it was planned for this chip.
  bool run(PlacedCall& call);
  // How long a kernel may take by its modelled time; 0: any. A run() that takes longer is wrong.
  void allow(std::chrono::nanoseconds time) { allowed_ = time; }
  std::chrono::nanoseconds allowed() const { return allowed_; }
  // Tells whether the last run() of this thread was wrong because it took too long. Asked once.
  static bool take_lateness();

 private:
  // What one launch at a time uses.
  struct Engine {
    Engine(const opk_soc_v1& soc, unsigned threads) : machine(soc, threads) {}
    ~Engine();
    Engine(const Engine&) = delete;
    core::Machine machine;
    uint8_t* system_workspace = nullptr;
  };
  using Launch = std::function<core::LaunchReport(Engine&, ProgramMode&)>;

  bool run(const std::string& kernel, const Launch& launch);
  bool run_unwatched(PlacedCall& call);
  std::unique_ptr<Engine> take_engine();
  void give_back(std::unique_ptr<Engine> engine);
  uint8_t* system_workspace(Engine& engine);
  ProgramMode& mode();
  bool judge(core::LaunchReport report, const std::string& kernel);
  bool in_time(const std::string& kernel) const;
  std::vector<core::GmRange> gm_ranges(const Engine& engine) const;

  const opk_soc_v1 soc_;
  DeviceMemory memory_;
  HandleTable<Stream> streams_{"stream"};
  Stream default_stream_;
  std::mutex engines_mutex_, mode_mutex_;
  bool threads_taken_ = false;  // an engine has the host's threads; others run on their caller's
  std::vector<std::unique_ptr<Engine>> engines_;  // that nobody uses
  std::unique_ptr<ProgramMode> mode_;             // is empty before the first launch
  std::atomic<std::chrono::nanoseconds> allowed_{std::chrono::nanoseconds(0)};
};

// Returns the one device, made on first use and never destroyed: the chip is the program's from
// then on. REQUIRES: the lock is held.
OPKIT_ACL_SHARED EmulatedDevice& the_device();

}  // namespace opkit::acl

#endif  // OPKIT_ACL_DEVICE_DEVICE_H_
