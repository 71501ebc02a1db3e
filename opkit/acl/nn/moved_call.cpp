#include "opkit/acl/nn/moved_call.h"

#include <algorithm>
#include <cstring>

#include "opkit/acl/nn/nn_view.h"

namespace opkit::acl {
namespace {

constexpr uintptr_t kPlace = 512;  // bytes: what a copy's address is kept by
constexpr uint64_t kTail = 64;     // bytes behind a tensor that a kernel may read

bool is_view(const aclTensor& tensor, const StorageLayout& layout) {
  return layout.dense() && bits_of(tensor.desc.dtype) % 8 == 0;
}

uint64_t bytes_of(const aclTensor& tensor, const StorageLayout& layout) {
  if (is_view(tensor, layout)) return extent_of(tensor);
  return opkit::bytes_of(layout.dtype(), static_cast<uint64_t>(layout.storage().elements()));
}

}  // namespace

Tensor elements_of(const aclTensor& tensor, const StorageLayout& layout) {
  if (is_view(tensor, layout)) {
    Tensor dense(tensor.desc.dtype, tensor.desc.shape, tensor.desc.name);
    gather(tensor, dense);
    return dense;
  }
  Tensor stored(layout.dtype(), layout.storage(), tensor.desc.name);
  if (stored.size_bytes() != 0) std::memcpy(stored.data(), tensor.first(), stored.size_bytes());
  return layout.to_origin(stored);
}

std::vector<std::vector<Tensor>> elements_of(const std::vector<NnPort>& ports,
                                             const std::vector<PortLayouts>& layouts) {
  std::vector<std::vector<Tensor>> all(ports.size());
  for (size_t p = 0; p < ports.size(); ++p) {
    for (size_t t = 0; t < ports[p].tensors.size(); ++t)
      all[p].push_back(elements_of(ports[p].tensors[t], layouts[p][t]));
    all[p].insert(all[p].end(), ports[p].values.begin(), ports[p].values.end());
  }
  return all;
}

Result<std::unique_ptr<MovedCall>> MovedCall::of(EmulatedDevice& device,
                                                 const aclOpExecutor& call) {
  std::unique_ptr<MovedCall> moved(new MovedCall(device, call));
  const DeviceScratch& workspace = *moved->workspace_;
  if (workspace.code() != ACL_SUCCESS) return take_text(), std::unique_ptr<MovedCall>();
  OPKIT_CHECK(check(device, call, workspace.memory(), workspace.bytes()));
  moved->find(call.arguments.inputs, call.plan->input_layouts);
  moved->find(call.arguments.outputs, call.plan->output_layouts);
  moved->join();
  if (!moved->copy()) return std::unique_ptr<MovedCall>();
  moved->move(moved->call_.arguments.inputs);
  moved->move(moved->call_.arguments.outputs);
  return moved;
}

MovedCall::MovedCall(EmulatedDevice& device, const aclOpExecutor& call)
    : device_(device),
      call_(call),
      workspace_(std::make_unique<DeviceScratch>(device, call.workspace_bytes())) {}

void MovedCall::find(const std::vector<NnPort>& ports, const std::vector<PortLayouts>& layouts) {
  for (size_t p = 0; p < ports.size(); ++p) {
    for (size_t t = 0; t < ports[p].tensors.size(); ++t) {
      const aclTensor& tensor = ports[p].tensors[t];
      const uint64_t bytes = bytes_of(tensor, layouts[p][t]);
      if (bytes == 0) continue;
      stretches_.push_back({tensor.first(), tensor.first() + bytes, nullptr, nullptr});
    }
  }
}

void MovedCall::join() {
  std::sort(stretches_.begin(), stretches_.end(),
            [](const Stretch& a, const Stretch& b) { return a.from < b.from; });
  std::vector<Stretch> joined;
  for (Stretch& one : stretches_) {
    if (!joined.empty() && one.from <= joined.back().to) {
      joined.back().to = std::max(joined.back().to, one.to);
    } else {
      joined.push_back(std::move(one));
    }
  }
  stretches_ = std::move(joined);
}

bool MovedCall::copy() {
  for (Stretch& one : stretches_) {
    const auto bytes = static_cast<uint64_t>(one.to - one.from);
    one.room = std::make_unique<DeviceScratch>(device_, bytes + kPlace + kTail);
    if (one.room->code() != ACL_SUCCESS) return take_text(), false;
    const auto start = reinterpret_cast<uintptr_t>(one.room->memory());
    const uintptr_t shift = (reinterpret_cast<uintptr_t>(one.from) - start) % kPlace;
    one.copy = static_cast<std::byte*>(one.room->memory()) + shift;
    std::memcpy(one.copy, one.from, bytes);
  }
  return true;
}

void MovedCall::move(std::vector<NnPort>& ports) const {
  for (NnPort& port : ports) {
    for (aclTensor& tensor : port.tensors) {
      const std::byte* const first = tensor.first();
      for (const Stretch& one : stretches_) {
        if (first < one.from || first >= one.to) continue;
        tensor.data = one.copy + (first - one.from);
        tensor.offset = 0;
        break;
      }
    }
  }
}

}  // namespace opkit::acl
