// LaunchRequest and LaunchReport: what a launch is asked to do, and what it says when it has ended.
#ifndef OPKIT_CORE_STATE_LAUNCH_REQUEST_H_
#define OPKIT_CORE_STATE_LAUNCH_REQUEST_H_

#include <cstdint>
#include <string>

#include "opkit/abi/plugin.h"
#include "opkit/core/state/fault.h"
#include "opkit/core/state/observer.h"

namespace opkit::core {

// A piece of GM that a launch may touch.
struct GmRange {
  const uint8_t* base = nullptr;
  uint64_t bytes = 0;     // behind `asked` there may be some that were added
  const char* name = "";  // names the tensor, for messages
  bool writable = true;
  bool defined = false;  // writable, and its bytes have values before the launch (in-place tensors)
  bool output = false;   // the launch has to write every byte, unless it adds to the tensor
  // The allocation goes on behind the tensor, as one of aclrtMalloc does: to the next multiple of
  // 32 bytes, and 32 bytes more. Their values are unspecified; Checked reports kernels that touch
  // them (docs/decisions/0014).
  bool has_tail = false;
  bool scratch = false;  // writable, and what the launch leaves in it is nobody's
  // Not writable as the op says, but memory like any other: a write is done, and told, unless the
  // observer forbids it (docs/decisions/0014).
  bool input = false;
  uint64_t asked = 0;  // bytes that the program asked for, which messages name; 0: all

  uint64_t named_bytes() const { return asked ? asked : bytes; }
};

class LaunchProgram;
class LaunchReplay;

struct LaunchRequest {
  const opk_kernel_v1* kernel = nullptr;
  uint32_t block_dim = 1;
  uint64_t tiling_key = 0;
  void* const* args = nullptr;  // GM pointers: inputs, outputs, workspace, tiling
  const GmRange* gm = nullptr;  // every range that the kernel may touch; nullptr = not checked
  uint32_t gm_count = 0;
  uint8_t* system_workspace = nullptr;  // what GetSysWorkSpacePtr() answers
  Observer* observer = nullptr;         // nullptr = Fast
  bool keep_inf_nan = true;             // control bit 48: float results keep inf and nan
  // Not 0: a schedule other than program order, the same for the same seed. Blocks start and go on
  // in an order by chance; local memories start poisoned; and what a core issues takes effect as
  // late as flags, queues and barriers allow (1) or at moments by chance (others), unless the
  // observer looks at data (modes/reorder.h). A correct kernel gives the same bits under every
  // seed. Runs on the calling thread alone.
  uint64_t schedule_seed = 0;
  // What earlier launches of the call have recorded, which may run in the kernel's place when
  // nobody observes. nullptr: the kernel runs.
  LaunchReplay* replay = nullptr;
  // The machine's own: runs in the kernel's place.
  const LaunchProgram* program = nullptr;
};

struct LaunchReport {
  Faults faults;        // empty = the launch succeeded; deterministic for any number of threads
  Faults warnings;      // what the chip does although the kernel did not mean it, once per kind
  std::string printed;  // what the kernel printed, in block order
  bool ok() const { return faults.empty(); }
};

}  // namespace opkit::core

#endif  // OPKIT_CORE_STATE_LAUNCH_REQUEST_H_
