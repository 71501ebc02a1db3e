// PlacedCall: a CallPlan and the addresses of its tensors, ready to launch.
#ifndef OPKIT_CALL_PLAN_PLACED_CALL_H_
#define OPKIT_CALL_PLAN_PLACED_CALL_H_

#include <memory>
#include <vector>

#include "opkit/call/plan/call_plan.h"
#include "opkit/core/machine.h"

namespace opkit {

// Where the buffers of a plan lie, by port and tensor; see CallBuffer for sizes and alignment. The
// caller owns the memory and keeps it while the call is used. Of an input that an output replaces
// no address is read. An output may lie where an input of the same bytes lies; whether the kernel
// can take that is the caller's affair (see takes_in_place). nullptr stands for a buffer of no
// bytes; the kernel is given some address where it is the workspace that has none, because kernels
// ask whether there is one.
struct CallAddresses {
  std::vector<std::vector<void*>> inputs, outputs;
  void* workspace = nullptr;
  // Behind every buffer follow the bytes that core::GmRange::has_tail tells of; a launch fills
  // them.
  bool have_tails = false;
  // The launch may write into inputs, as the chip does when a kernel does so: nobody else reads
  // their memory.
  bool own_inputs = false;
  // Outputs whose bytes have values before the launch; empty: none beyond what the plan says.
  std::vector<bool> defined{};
  // Where the tiling bytes are kept: room for tiling_room() bytes. nullptr: with the call.
  void* tiling = nullptr;
};

struct LaunchOptions {
  core::Observer* observer = nullptr;  // nullptr: Fast. Sees nothing of a CpuKernel
  uint64_t schedule_seed = 0;          // core::LaunchRequest's
  // Nothing is read or written at the addresses: the observer refuses every instruction, and
  // outputs with an InitValue do not get it.
  bool dry = false;
  // Tails and InitValues are there: somebody else wrote them.
  bool filled = false;
};

// Returns the bytes that the tiling data of a plan take in GM, what may be read behind them
// included.
size_t tiling_room(const TilingPlan& tiling);

// Owns the launch's tiling bytes and lists of tensors, which are small, and shares the plan. One
// thread uses a PlacedCall at a time; each thread places the plan for itself.
class PlacedCall {
 public:
  // OPK-RUN-009: not one address for each tensor of the plan, or none for a buffer with bytes.
  static Result<PlacedCall> place(std::shared_ptr<const CallPlan> plan,
                                  const CallAddresses& addresses);

  const CallPlan& plan() const;
  const std::shared_ptr<const CallPlan>& shared_plan() const;
  const CallAddresses& addresses() const;
  // Returns the GM ranges that the kernel may touch, as a launch tells the engine.
  const std::vector<core::GmRange>& gm() const;
  // Runs one launch to its end. Outputs keep what earlier launches left. The machine runs
  // launches of several threads one after the other. REQUIRES: the machine emulates the plan's
  // chip.
  core::LaunchReport launch(core::Machine& machine, const LaunchOptions& options = {});

  PlacedCall(PlacedCall&&) noexcept;
  PlacedCall& operator=(PlacedCall&&) noexcept;
  ~PlacedCall();

 private:
  struct State;
  explicit PlacedCall(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

// Returns a fault of a launch as an Error: code, message, block, action.
Error to_error(const core::Fault& fault, const std::string& op_type);

}  // namespace opkit

#endif  // OPKIT_CALL_PLAN_PLACED_CALL_H_
