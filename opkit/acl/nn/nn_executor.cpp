#include "opkit/acl/nn/nn_executor.h"

#include <fmt/format.h>

#include <deque>

#include "opkit/acl/device/failed_op.h"
#include "opkit/acl/nn/nn_view.h"
#include "opkit/call/execute/tuned_plan.h"
#include "opkit/call/layout/storage_layout.h"

namespace opkit::acl {
namespace {

Status check_outputs(const CallPlan& plan, const NnArguments& arguments) {
  for (size_t p = 0; p < plan.output_layouts.size(); ++p) {
    const PortLayouts& wanted = plan.output_layouts[p];
    const std::vector<aclTensor>& given = arguments.outputs[p].tensors;
    const std::string& name = plan.contract->outputs[p].name;
    if (given.size() != wanted.size())
      return plan.contract->error("OPK-ACLNN-001",
                                  fmt::format("output '{}' is {} tensors, the op gives {}", name,
                                              given.size(), wanted.size()),
                                  "create as many tensors as the op gives");
    for (size_t t = 0; t < given.size(); ++t) {
      const TensorDesc& desc = given[t].desc;
      if (desc.dtype == wanted[t].dtype() &&
          (desc.format == wanted[t].format() ||
           (is_dense(desc.format) && is_dense(wanted[t].format()))))
        continue;
      return plan.contract->error(
          "OPK-ACLNN-001",
          fmt::format("output '{}' is {} {}, the op gives {} {}", name, name_of(desc.dtype),
                      name_of(desc.format), name_of(wanted[t].dtype()),
                      name_of(wanted[t].format())),
          "create the tensor with the type and format that the op gives");
    }
  }
  return {};
}

// The addresses of a call's tensors while it runs.
class Placement {
 public:
  // looks: memory is judged, and nothing is read.
  Placement(const EmulatedDevice& device, const aclOpExecutor& executor, bool looks = false)
      : device_(device), executor_(executor), looks_(looks) {}

  Status place(void* workspace, uint64_t bytes) {
    const NnArguments& arguments = executor_.arguments;
    const CallPlan& plan = *executor_.plan;
    OPKIT_CHECK(take_workspace(workspace, bytes));
    addresses_.inputs.resize(arguments.inputs.size());
    addresses_.outputs.resize(arguments.outputs.size());
    for (size_t p = 0; p < arguments.inputs.size(); ++p)
      OPKIT_CHECK(take_input(arguments.inputs[p], plan.input_layouts[p], addresses_.inputs[p]));
    for (size_t p = 0; p < arguments.outputs.size(); ++p) {
      for (size_t t = 0; t < arguments.outputs[p].tensors.size(); ++t)
        OPKIT_CHECK(take_output(arguments.outputs[p].tensors[t], plan.output_layouts[p][t],
                                addresses_.outputs[p]));
    }
    return check_overlaps();
  }

  const CallAddresses& addresses() const { return addresses_; }

  // Brings results from dense memory to the views that the caller gave.
  void hand_back() const {
    for (const Staged& staged : staged_) scatter(staged.dense, *staged.view);
  }

 private:
  struct Staged {
    const aclTensor* view;
    Tensor dense;
  };

  Error bad_memory(const std::string& what, std::string action) const {
    return executor_.contract().error("OPK-ACLNN-003", what, std::move(action));
  }

  // bytes: from its first element on. What lies in front of that must be memory, too: a view does
  // not leave its storage for another one.
  Status check_memory(const aclTensor& tensor, uint64_t bytes) const {
    if (bytes == 0) return {};
    const auto in_front = static_cast<uint64_t>(tensor.first() - tensor.data);
    if (device_.memory().gave(tensor.data, in_front + bytes)) return {};
    return bad_memory(
        fmt::format("tensor '{}' wants {} bytes at {}: {}", tensor.desc.name, in_front + bytes,
                    static_cast<const void*>(tensor.data), device_.memory().about(tensor.data)),
        "allocate its storage by aclrtMalloc");
  }

  Status take_workspace(void* workspace, uint64_t bytes) {
    const uint64_t wanted = executor_.workspace_bytes();
    if (bytes < wanted)
      return bad_memory(fmt::format("the workspace has {} bytes, {} were asked for", bytes, wanted),
                        "pass the size that the first call gave");
    if (wanted != 0 && !device_.memory().holds(workspace, wanted))
      return bad_memory(fmt::format("the workspace of {} bytes at {}: {}", wanted, workspace,
                                    device_.memory().about(workspace)),
                        "allocate it by aclrtMalloc");
    addresses_.workspace = wanted ? workspace : nullptr;
    return {};
  }

  // A tensor that the kernel uses where it lies.
  struct Lying {
    const aclTensor* tensor;
    uint64_t bytes;
    bool is_output;

    const std::byte* begin() const { return static_cast<const std::byte*>(tensor->first()); }
    const std::byte* end() const { return begin() + bytes; }
  };

  // An output has memory of its own, or that of an input of as many bytes.
  Status check_overlaps() const {
    for (const Lying& output : lying_) {
      for (const Lying& other : lying_) {
        const bool meets = output.begin() < other.end() && other.begin() < output.end();
        const bool same = output.begin() == other.begin() && output.bytes == other.bytes;
        if (!output.is_output || &output == &other || !meets || (same && !other.is_output))
          continue;
        return bad_memory(
            fmt::format("output '{}' at {} and {} '{}' at {} have bytes in common",
                        output.tensor->desc.name, static_cast<const void*>(output.begin()),
                        other.is_output ? "output" : "input", other.tensor->desc.name,
                        static_cast<const void*>(other.begin())),
            "give the output memory of its own, or exactly that of an input of as many bytes");
      }
    }
    return {};
  }

  // The chip's copies want 32 bytes.
  static bool lies_well(const aclTensor& tensor) {
    return tensor.is_contiguous() && reinterpret_cast<uintptr_t>(tensor.first()) % 32 == 0;
  }

  // Null: the tensor is used where it lies. Its memory is judged in either case.
  Result<Tensor*> stage(const aclTensor& tensor, const StorageLayout& layout,
                        std::deque<Tensor>& room) {
    if (lies_well(tensor)) {
      const uint64_t bytes =
          bytes_of(layout.dtype(), static_cast<uint64_t>(layout.storage().elements()));
      OPKIT_CHECK(check_memory(tensor, bytes));
      lying_.push_back({&tensor, bytes, &room != &dense_});
      return nullptr;
    }
    if (!layout.dense() || bits_of(tensor.desc.dtype) % 8 != 0)
      return bad_memory(fmt::format("tensor '{}' is a view of {} {}", tensor.desc.name,
                                    name_of(tensor.desc.dtype), name_of(tensor.desc.format)),
                        "views are possible of ND formats and whole bytes: pass it whole, at a "
                        "multiple of 32 bytes");
    OPKIT_CHECK(check_memory(tensor, extent_of(tensor)));
    if (looks_) return nullptr;
    Tensor& dense = room.emplace_back(tensor.desc.dtype, tensor.desc.shape, tensor.desc.name);
    gather(tensor, dense);
    return &dense;
  }

  Status take_input(const NnPort& port, const PortLayouts& layouts, std::vector<void*>& addresses) {
    for (size_t t = 0; t < port.tensors.size(); ++t) {
      OPKIT_TRY(Tensor * dense, stage(port.tensors[t], layouts[t], dense_));
      addresses.push_back(dense ? dense->data() : port.tensors[t].first());
    }
    if (looks_) return {};
    for (const Tensor& value : port.values) addresses.push_back(dense_.emplace_back(value).data());
    return {};
  }

  Status take_output(const aclTensor& tensor, const StorageLayout& layout,
                     std::vector<void*>& addresses) {
    std::deque<Tensor> room;
    OPKIT_TRY(Tensor * dense, stage(tensor, layout, room));
    if (!dense) {
      addresses.push_back(tensor.first());
      return {};
    }
    staged_.push_back({&tensor, std::move(*dense)});
    addresses.push_back(staged_.back().dense.data());
    return {};
  }

  const EmulatedDevice& device_;
  const aclOpExecutor& executor_;
  const bool looks_;
  CallAddresses addresses_;
  std::vector<Lying> lying_;
  std::deque<Tensor> dense_;   // inputs
  std::deque<Staged> staged_;  // outputs
};

// Where the program's tensors lie.
std::vector<std::vector<void*>> places_of(const std::vector<NnPort>& ports) {
  std::vector<std::vector<void*>> places;
  for (const NnPort& port : ports) {
    std::vector<void*>& of_port = places.emplace_back();
    for (const aclTensor& tensor : port.tensors) of_port.push_back(tensor.first());
    of_port.resize(of_port.size() + port.values.size());
  }
  return places;
}

}  // namespace

Result<std::unique_ptr<aclOpExecutor>> make_executor(std::shared_ptr<const OpenedOp> op,
                                                     const SocSpec& soc, NnArguments arguments) {
  const auto make = [&](const CallFacts& facts) {
    return plan_call(op->contract, *op->tables, soc, facts);
  };
  const std::string& digest = op->package.manifest.library_sha256;
  OPKIT_TRY(CallPlan plan,
            plan_tuned(op->contract, digest, soc.name, arguments.facts(op->contract), make));
  OPKIT_CHECK(check_outputs(plan, arguments));
  auto executor = std::make_unique<aclOpExecutor>();
  executor->op = std::move(op);
  executor->plan = std::make_shared<const CallPlan>(std::move(plan));
  executor->arguments = std::move(arguments);
  return executor;
}

Status check(const EmulatedDevice& device, const aclOpExecutor& executor, void* workspace,
             uint64_t workspace_bytes) {
  return Placement(device, executor, true).place(workspace, workspace_bytes);
}

Result<bool> run(EmulatedDevice& device, const aclOpExecutor& executor, void* workspace,
                 uint64_t workspace_bytes) {
  Placement placement(device, executor);
  OPKIT_CHECK(placement.place(workspace, workspace_bytes));
  OPKIT_TRY(PlacedCall call, PlacedCall::place(executor.plan, placement.addresses()));
  if (!device.run(call)) {
    CallAddresses places;
    places.inputs = places_of(executor.arguments.inputs);
    places.outputs = places_of(executor.arguments.outputs);
    Exceptions::at(failed_op(*executor.plan, places));
    return false;
  }
  placement.hand_back();
  return true;
}

HandleTable<aclOpExecutor>& executors() {
  static HandleTable<aclOpExecutor>& all = *new HandleTable<aclOpExecutor>("aclOpExecutor");
  return all;
}

}  // namespace opkit::acl
