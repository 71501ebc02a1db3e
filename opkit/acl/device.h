// Device: one emulated chip of a program: its memory, its streams, and the machine that runs
// kernels.
#ifndef OPKIT_ACL_DEVICE_H_
#define OPKIT_ACL_DEVICE_H_

#include <cstdint>
#include <memory>
#include <vector>

#include "opkit/acl/handle_table.h"
#include "opkit/acl/memory_pool.h"
#include "opkit/acl/mode.h"
#include "opkit/acl/stream.h"
#include "opkit/core/machine.h"
#include "opkit/runtime/placed_call.h"

namespace opkit::acl {

struct KernelArguments {
  void* block = nullptr;  // what the entries get as args[0]
  // What the arguments in it point to, by their number; nullptr for others. Messages call memory by
  // them.
  std::vector<const void*> pointers;
  const char* names = "";  // of the parameters, "x,y,tiling"; what has none goes by its number
};

class Device {
 public:
  explicit Device(const opk_soc_v1& soc);  // copied; its texts must outlive the device

  const opk_soc_v1& soc() const { return soc_; }
  DeviceMemory& memory() { return memory_; }
  const DeviceMemory& memory() const { return memory_; }
  HandleTable<Stream>& streams() { return streams_; }
  const HandleTable<Stream>& streams() const { return streams_; }
  // The default stream for a null handle; nullptr: no such stream.
  Stream* find(aclrtStream stream);

  // Runs the kernel to its end, in the mode that was chosen; false: it was wrong, and stderr says
  // so.
  bool run(const opk_kernel_v1& kernel, uint32_t blocks, const KernelArguments& arguments,
           uint64_t tiling_key);
  // The same for a call of an installed op. REQUIRES: it was planned for this chip.
  bool run(PlacedCall& call);

 private:
  bool judge(core::LaunchReport report, const std::string& kernel);
  core::Machine& machine();
  Mode& mode();
  uint8_t* system_workspace();
  std::vector<core::GmRange> gm_ranges() const;

  const opk_soc_v1 soc_;
  DeviceMemory memory_;
  HandleTable<Stream> streams_{"stream"};
  Stream default_stream_;
  std::unique_ptr<core::Machine> machine_;  // from the first launch on
  std::unique_ptr<Mode> mode_;
  uint8_t* system_workspace_ = nullptr;
};

}  // namespace opkit::acl

#endif  // OPKIT_ACL_DEVICE_H_
