// Invocation: a call with its tensors, and what a launch of it left and was seen to do.
#ifndef OPKIT_CALL_EXECUTE_INVOCATION_H_
#define OPKIT_CALL_EXECUTE_INVOCATION_H_

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "opkit/call/execute/question.h"
#include "opkit/call/plan/call_plan.h"
#include "opkit/call/plan/watch.h"
#include "opkit/core/modes/checked.h"

namespace opkit {

// The tensors of each port: one when required, at most one when optional, any number when dynamic.
using Ports = std::vector<PortTensors>;

// As the model's author sees them: dense, whatever their format (see StorageLayout). Executors lay
// them out for the kernel, and outputs back.
struct Invocation {
  const OpContract* contract = nullptr;
  std::string soc;  // full name
  Ports inputs;     // formats and dtypes as the caller says, legal or not
  // Gives inputs that are addresses alone (Tensor::reserved) their values, every element, once they
  // have memory. Unless the host reads the input; absent: no input is such.
  std::function<void(size_t port, size_t tensor, Tensor& blank)> fill;
  AttrValues attrs;
  SaidOutputs output_shapes;  // see CallFacts
  Ports initial_outputs;      // hold what each output port starts from; none: poison
  unsigned threads = 1;       // counts the host's threads; 0: one per core
  bool checked = false;       // run(): with the engine's checks of queues, pipes and races
  // Not 0: under a legal schedule other than program order (core::LaunchRequest). A correct kernel
  // gives the same bits under every seed.
  uint64_t schedule_seed = 0;
  // What plan() made of such a call; absent: it is planned now. Tensors of other shapes are
  // refused.
  SharedPlan plan;
};

struct Execution {
  Ports outputs;  // poisoned before the launch
  Ports inputs;   // hold what the launch left in them
  // Hold the padding of each tensor; empty: no tensor of the call has padding.
  std::vector<std::vector<Padding>> input_padding, output_padding;
  size_t column = 0;
  uint64_t tiling_key = 0;
  uint32_t block_dim = 0;
  std::vector<std::byte> tiling_data;
  std::vector<uint64_t> workspaces;  // bytes
};

// A launch and what its mode saw.
struct Observation {
  Execution execution;  // what the launch left, however it ended; without tensors of a dry launch
  Watched watched;
  core::PlaceNames places;  // source lines of what was seen
  double seconds = 0;       // counts this machine's time, poisoning left out
};

// Which bytes of the outputs a call's launch writes.
struct CoverRun : CoverLaunch {
  SharedPlan plan;
  // Returns the source line of a fault, "op_kernel/add.cpp:48", or empty.
  std::function<std::string(const void*)> place;
};

}  // namespace opkit

#endif  // OPKIT_CALL_EXECUTE_INVOCATION_H_
