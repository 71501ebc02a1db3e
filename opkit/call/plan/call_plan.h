// CallPlan: everything that is decided about a call before its tensors exist. Made from facts
// alone, so that a call of any size can be planned; launched by PlacedCall any number of times,
// with different addresses, from several threads.
#ifndef OPKIT_CALL_PLAN_CALL_PLAN_H_
#define OPKIT_CALL_PLAN_CALL_PLAN_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "opkit/call/infer/infer.h"
#include "opkit/call/plan/said_outputs.h"
#include "opkit/call/plan/stored_call.h"
#include "opkit/call/tiling/tile.h"
#include "opkit/contract/op_contract.h"
#include "opkit/soc/soc_spec.h"

namespace opkit {

namespace core {
class LaunchReplay;
}

// An input tensor before it exists: static dims, as the model's author sees them.
struct InputFacts {
  TensorDesc desc;
  // The elements of a value-dependent input, dense and row-major; borrowed while the plan is made.
  std::span<const std::byte> value;
};

struct CallFacts {
  std::vector<std::vector<InputFacts>> inputs;  // one entry per input port
  AttrValues attrs;                             // others take their defaults
  // Shapes of output tensors that the caller allocates. When they, with the contract, leave no
  // shape open, the author's InferShape and InferDataType are not asked.
  SaidOutputs output_shapes;
};

// Returns what the tensors of a call say of it. The facts borrow the tensors' elements.
CallFacts facts_of(const OpContract& contract, const std::vector<PortTensors>& inputs);

// A piece of GM that a launch needs: 64-byte aligned, and 64 readable bytes follow it.
struct CallBuffer {
  enum class Role : uint8_t { kInput, kOutput, kWorkspace };
  Role role = Role::kInput;
  size_t port = 0, tensor = 0;  // name an input's or output's port and its place there
  uint64_t bytes = 0;           // counts what its format stores
  // Names the input port whose memory an in-place output takes. That input has no buffer.
  std::optional<size_t> replaces;
};

// Immutable once made. Borrows the contract, the chip's description and the op's tables, which must
// outlive it (the plugin stays loaded).
struct CallPlan {
  const OpContract* contract = nullptr;
  const opk_op_v1* op = nullptr;
  const SocSpec* soc = nullptr;
  Binding binding;    // column, complete attributes, symbols
  TilingPlan tiling;  // block dim, key, tiling bytes, workspace bytes, kernel
  // Per port, how each tensor is stored; their origins are the call's shapes.
  std::vector<PortLayouts> input_layouts, output_layouts;
  // Holds for each output port its InitValue, if it has one.
  std::vector<std::optional<double>> initial;
  // Per input port, value-dependent tensors as they are stored; other ports are empty.
  std::vector<PortTensors> values;
  // What launches of the plan have recorded (docs/decisions/0040); nullptr: nothing is recorded.
  std::shared_ptr<core::LaunchReplay> replay;

  // Returns what a launch needs, in the order of the kernel's arguments.
  std::vector<CallBuffer> buffers() const;
  // Returns the input port whose memory an output takes.
  std::optional<size_t> replaced_by(size_t output) const;
};

// Returns room for what launches of one plan record; nullptr when the environment has
// OPKIT_REPLAY=0. With OPKIT_REPLAY=compare each launch also compares.
std::shared_ptr<core::LaunchReplay> make_replay();

// Binds, infers, lays out and tiles. Calls the plugin's host functions and nothing else of it;
// allocates nothing of the tensors' size but for the values of value-dependent inputs.
// Errors: those of check_declaration, bind, infer and tile; OPK-RUN-002 the plugin has no kernel
// for this column; OPK-RUN-003 an output's shape is not known; OPK-RUN-004 an InitValue that the
// output cannot have; OPK-RUN-006 a said shape that the output cannot have; OPK-RUN-007 a
// value-dependent input without its values; OPK-RUN-008 an input's shape is not known;
// OPK-LAYOUT-001, -002 a shape that a tensor's format cannot store.
Result<CallPlan> plan_call(const OpContract& contract, const opk_op_v1& op, const SocSpec& soc,
                           const CallFacts& facts);

}  // namespace opkit

#endif  // OPKIT_CALL_PLAN_CALL_PLAN_H_
