#include "opkit/isolation/lease.h"

#include <algorithm>
#include <utility>

namespace opkit::isolation {
namespace {

struct Stretch {
  uint64_t from, to;
};

uint64_t first_gap(std::vector<Stretch>& taken, uint64_t needed) {
  std::ranges::sort(taken, {}, &Stretch::from);
  uint64_t at = 0;
  for (const Stretch& stretch : taken) {
    if (stretch.from >= at + needed) break;
    at = std::max(at, stretch.to);
  }
  return at;
}

}  // namespace

Lease::Lease(std::shared_ptr<const SharedWithWorker> shared, Ends from, Ends to)
    : shared_(std::move(shared)), from_(from), to_(to) {}

Lease::~Lease() {
  const uint64_t cold = std::max(from_.outputs, kWarm);
  if (cold < to_.outputs) shared_->outputs.forget(cold, to_.outputs - cold);
}

std::byte* Lease::at(const Slot& slot) const {
  return (slot.writable ? shared_->outputs : shared_->inputs).data() + slot.at;
}

Tensor tensor_in(const std::shared_ptr<const Lease>& lease, const Slot& slot, TensorDesc desc) {
  return Tensor::lent({lease, lease->at(slot)}, std::move(desc));
}

Ends Leases::gap(Ends needed) const {
  std::vector<Stretch> inputs, outputs;
  for (const auto& weak : leases_) {
    const auto lease = weak.lock();
    if (!lease) continue;
    inputs.push_back({lease->from().inputs, lease->to().inputs});
    outputs.push_back({lease->from().outputs, lease->to().outputs});
  }
  return {first_gap(inputs, needed.inputs), first_gap(outputs, needed.outputs)};
}

uint64_t Leases::bytes() const {
  uint64_t bytes = 0;
  for (const auto* all : {&leases_, &elsewhere_})
    for (const auto& weak : *all)
      if (const auto lease = weak.lock()) bytes += lease->bytes();
  return bytes;
}

void Leases::leave_arenas() {
  std::erase_if(elsewhere_, [](const auto& weak) { return weak.expired(); });
  elsewhere_.insert(elsewhere_.end(), leases_.begin(), leases_.end());
  leases_.clear();
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
