#include "opkit/isolation/lease.h"

#include <algorithm>
#include <utility>

namespace opkit::isolation {

Lease::Lease(std::shared_ptr<const SharedWithWorker> shared, Ends from, Ends to)
    : shared_(std::move(shared)), from_(from), to_(to) {
  // What smaller calls left there.
  shared_->outputs.forget(from_.outputs, to_.outputs - from_.outputs);
}

Lease::~Lease() { shared_->outputs.forget(from_.outputs, to_.outputs - from_.outputs); }

std::byte* Lease::at(const Slot& slot) const {
  return (slot.writable ? shared_->outputs : shared_->inputs).data() + slot.at;
}

Tensor tensor_in(const std::shared_ptr<const Lease>& lease, const Slot& slot, TensorDesc desc) {
  return Tensor::lent({lease, lease->at(slot)}, std::move(desc));
}

Ends Leases::ends() const {
  Ends all;
  for (const auto& weak : leases_) {
    const auto lease = weak.lock();
    if (!lease) continue;
    all.inputs = std::max(all.inputs, lease->to().inputs);
    all.outputs = std::max(all.outputs, lease->to().outputs);
  }
  return all;
}

uint64_t Leases::bytes() const {
  uint64_t bytes = 0;
  for (const auto& weak : leases_)
    if (const auto lease = weak.lock()) bytes += lease->bytes();
  return bytes;
}

std::shared_ptr<const Lease> Leases::take(std::shared_ptr<const SharedWithWorker> shared, Ends from,
                                          const Placement& placement) {
  const Ends used = ends_of(placement);
  const Ends to{std::max(from.inputs, used.inputs), std::max(from.outputs, used.outputs)};
  if (to.inputs - from.inputs <= kLeased && to.outputs - from.outputs <= kLeased) return nullptr;
  std::erase_if(leases_, [](const auto& weak) { return weak.expired(); });
  auto lease = std::make_shared<const Lease>(std::move(shared), from, to);
  leases_.push_back(lease);
  return lease;
}

}  // namespace opkit::isolation
