#include "opkit/call/plan/placed_call.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "opkit/call/plan/aicpu.h"
#include "opkit/call/plan/initial_value.h"
#include "opkit/call/plan/tensor_list.h"
#include "opkit/core/state/gm_room.h"

namespace opkit {
namespace {

constexpr size_t kLeastTiling = 64;       // bytes that a kernel may read of its tiling data
constexpr size_t kTail = 64;              // bytes behind what the call owns
constexpr unsigned char kUnknown = 0xff;  // what lies in tails

Status check_addresses(const OpContract& contract, const Port& port, const PortLayouts& layouts,
                       const std::vector<void*>& addresses) {
  const auto refuse = [&](std::string message) {
    return contract.error("OPK-RUN-009", std::move(message),
                          "give one address for each tensor of the plan");
  };
  if (addresses.size() != layouts.size()) {
    return refuse(fmt::format("'{}' is {} tensors, {} addresses are given", port.name,
                              layouts.size(), addresses.size()));
  }
  for (size_t t = 0; t < layouts.size(); ++t) {
    const uint64_t bytes = stored_bytes(layouts[t]);
    if (addresses[t] == nullptr && bytes > 0)
      return refuse(fmt::format("'{}' of {} bytes has no address", port.name, bytes));
  }
  return {};
}

}  // namespace

struct PlacedCall::State {
  std::shared_ptr<const CallPlan> plan;
  CallAddresses at;
  // Per input port, the output that takes its memory: as the contract says, or by its address.
  std::vector<std::optional<size_t>> replacers;
  std::vector<bool> shared;  // says of each output port whether it does so by its address
  std::vector<std::vector<uint64_t>> lists;  // hold the tensor lists that dynamic ports point to
  std::vector<std::byte> own_tiling;
  alignas(kTail) std::byte no_workspace[kTail];  // the address of a workspace of no bytes
  std::vector<void*> args;
  std::vector<core::GmRange> gm;
  core::LaunchRequest request;

  Status take(const CallAddresses& addresses);
  void find_shared();
  void lay_out();
  std::byte* lay_out_tiling();
  void initialise();
  // defined: written by the kernel, but its bytes have values before.
  void add_port(const Port& port, const PortLayouts& layouts, const std::vector<void*>& addresses,
                bool writable, bool defined = false, bool output = false);
  void add_range(void* base, uint64_t bytes, const char* name, bool writable, bool defined = false,
                 bool output = false) {
    gm.push_back({static_cast<const uint8_t*>(base), bytes, name, writable, defined, output,
                  at.have_tails && base != nullptr});
  }
  void fill_tails() const;
};

Status PlacedCall::State::take(const CallAddresses& addresses) {
  at = addresses;
  at.inputs.resize(std::max(at.inputs.size(), plan->input_layouts.size()));
  replacers.resize(plan->input_layouts.size());
  shared.resize(plan->output_layouts.size());
  for (size_t o = 0; o < plan->output_layouts.size(); ++o) {
    if (const auto input = plan->replaced_by(o)) replacers[*input] = o;
  }
  const OpContract& contract = *plan->contract;
  for (size_t p = 0; p < plan->input_layouts.size(); ++p) {
    if (!replacers[p])
      OPKIT_CHECK(
          check_addresses(contract, contract.inputs[p], plan->input_layouts[p], at.inputs[p]));
  }
  at.outputs.resize(std::max(at.outputs.size(), plan->output_layouts.size()));
  for (size_t o = 0; o < plan->output_layouts.size(); ++o)
    OPKIT_CHECK(
        check_addresses(contract, contract.outputs[o], plan->output_layouts[o], at.outputs[o]));
  find_shared();
  if (at.workspace != nullptr || plan->tiling.workspace_bytes() == 0) return {};
  return contract.error(
      "OPK-RUN-009",
      fmt::format("the workspace of {} bytes has no address", plan->tiling.workspace_bytes()),
      "give the workspace an address");
}

// Inputs that lie where an output lies.
void PlacedCall::State::find_shared() {
  const OpContract& contract = *plan->contract;
  const auto single = [](const Port& port, const PortLayouts& layouts) {
    return port.presence != Presence::kDynamic && layouts.size() == 1 &&
           stored_bytes(layouts[0]) > 0;
  };
  for (size_t o = 0; o < plan->output_layouts.size(); ++o) {
    if (!single(contract.outputs[o], plan->output_layouts[o])) continue;
    const uint64_t bytes = stored_bytes(plan->output_layouts[o][0]);
    for (size_t p = 0; p < plan->input_layouts.size(); ++p) {
      if (replacers[p] || !single(contract.inputs[p], plan->input_layouts[p])) continue;
      if (at.inputs[p][0] == at.outputs[o][0] && stored_bytes(plan->input_layouts[p][0]) == bytes) {
        replacers[p] = o;
        shared[o] = true;
      }
    }
  }
}

void PlacedCall::State::add_port(const Port& port, const PortLayouts& layouts,
                                 const std::vector<void*>& addresses, bool writable, bool defined,
                                 bool output) {
  for (size_t t = 0; t < layouts.size(); ++t) {
    add_range(addresses[t], stored_bytes(layouts[t]), port.name.c_str(), writable, defined, output);
    gm.back().input = at.own_inputs && !writable;
  }
  if (port.presence == Presence::kDynamic) {
    std::vector<Shape> shapes;
    for (const StorageLayout& layout : layouts) shapes.push_back(layout.storage());
    lists.push_back(tensor_list(shapes, addresses));
    args.push_back(lists.back().data());
    const uint64_t bytes = lists.back().size() * sizeof(uint64_t);
    lists.back().resize(lists.back().size() + kTail / sizeof(uint64_t), ~uint64_t{0});
    args.back() = lists.back().data();
    add_range(lists.back().data(), bytes, port.name.c_str(), false);
  } else {
    args.push_back(addresses.empty() ? nullptr : addresses.front());
  }
}

std::byte* PlacedCall::State::lay_out_tiling() {
  if (at.tiling) return static_cast<std::byte*>(at.tiling);
  own_tiling.assign(plan->tiling.data.begin(), plan->tiling.data.end());
  own_tiling.resize(tiling_room(plan->tiling));
  return own_tiling.data();
}

// Kernel arguments: inputs, outputs, workspace, tiling. An input that an output overwrites stands
// for both.
void PlacedCall::State::lay_out() {
  const OpContract& contract = *plan->contract;
  const TilingPlan& tiled = plan->tiling;
  for (size_t p = 0; p < contract.inputs.size(); ++p) {
    if (const auto output = replacers[p]) {
      add_port(contract.inputs[p], plan->output_layouts[*output], at.outputs[*output], true, true);
    } else {
      const bool written = contract.inputs[p].written;
      add_port(contract.inputs[p], plan->input_layouts[p], at.inputs[p], written, written);
    }
  }
  for (size_t o = 0; o < contract.outputs.size(); ++o) {
    const bool defined = plan->initial[o].has_value() || plan->replaced_by(o).has_value() ||
                         shared[o] || (o < at.defined.size() && at.defined[o]);
    add_port(contract.outputs[o], plan->output_layouts[o], at.outputs[o], true, defined, true);
  }
  std::byte* tiling = lay_out_tiling();
  args.push_back(at.workspace ? at.workspace : no_workspace);
  args.push_back(tiling);
  add_range(at.workspace, tiled.workspace_bytes(), "workspace", true);
  gm.back().scratch = true;
  add_range(tiling, tiling_room(tiled) - kTail, "tiling", false);

  request.kernel = tiled.kernel;
  request.block_dim = tiled.block_dim;
  request.tiling_key = tiled.key;
  request.args = args.data();
  request.gm = gm.data();
  request.gm_count = static_cast<uint32_t>(gm.size());
  request.system_workspace = static_cast<uint8_t*>(at.workspace);
  request.keep_inf_nan = contract.numeric.overflow == NumericPolicy::Overflow::kInf;
}

// InitValue: the output has the value when the kernel starts, at every launch.
void PlacedCall::State::initialise() {
  for (size_t o = 0; o < plan->output_layouts.size(); ++o) {
    if (!plan->initial[o]) continue;
    for (size_t t = 0; t < plan->output_layouts[o].size(); ++t) {
      const StorageLayout& layout = plan->output_layouts[o][t];
      write_value(layout.dtype(), *plan->initial[o], at.outputs[o][t], stored_bytes(layout));
    }
  }
}

// Fills tails alike in every launch, for any number of threads.
void PlacedCall::State::fill_tails() const {
  for (const core::GmRange& range : gm) {
    if (!range.has_tail) continue;
    std::memset(const_cast<uint8_t*>(range.base) + range.bytes, kUnknown,
                core::readable_bytes(range) - range.bytes);
  }
}

size_t tiling_room(const TilingPlan& tiling) {
  return std::max(tiling.data.size(), kLeastTiling) + kTail;
}

PlacedCall::PlacedCall(std::unique_ptr<State> state) : state_(std::move(state)) {}
PlacedCall::PlacedCall(PlacedCall&&) noexcept = default;
PlacedCall& PlacedCall::operator=(PlacedCall&&) noexcept = default;
PlacedCall::~PlacedCall() = default;

Result<PlacedCall> PlacedCall::place(std::shared_ptr<const CallPlan> plan,
                                     const CallAddresses& addresses) {
  auto state = std::make_unique<State>();
  state->plan = std::move(plan);
  OPKIT_CHECK(state->take(addresses));
  state->lay_out();
  return PlacedCall(std::move(state));
}

const CallPlan& PlacedCall::plan() const { return *state_->plan; }
const std::shared_ptr<const CallPlan>& PlacedCall::shared_plan() const { return state_->plan; }
const CallAddresses& PlacedCall::addresses() const { return state_->at; }
const std::vector<core::GmRange>& PlacedCall::gm() const { return state_->gm; }

core::LaunchReport PlacedCall::launch(core::Machine& machine, const LaunchOptions& options) {
  if (!options.dry && !options.filled) {
    state_->initialise();
    state_->fill_tails();
  }
  const bool watched = !is_aicpu(*state_->plan);  // a CpuKernel has no instructions
  state_->request.observer = watched ? options.observer : nullptr;
  state_->request.schedule_seed = watched ? options.schedule_seed : 0;
  state_->request.replay = state_->plan->replay.get();
  return machine.launch(state_->request);
}

Error to_error(const core::Fault& fault, const std::string& op_type) {
  Error error(fault.code, fault.message, fault.action);
  std::string core = fmt::format("block {}", fault.block);
  if (fault.sub_block >= 0) core += fmt::format(", vector core {}", fault.sub_block);
  return std::move(error).of(op_type).with(std::move(core));
}

}  // namespace opkit
