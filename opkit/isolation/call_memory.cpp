#include "opkit/isolation/call_memory.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "opkit/call/plan/initial_value.h"
#include "opkit/call/plan/poison.h"
#include "opkit/isolation/worker_end.h"

namespace opkit::isolation {
namespace {

constexpr int kMark = 0xa5;

void copy_bytes(std::byte* to, const std::byte* from, uint64_t bytes) {
  if (bytes > 0 && to != from) std::memcpy(to, from, bytes);
}

// Returns the index of the first byte that is no mark; `bytes` when all are.
uint64_t first_changed(const std::byte* marks, uint64_t bytes) {
  const auto* end = marks + bytes;
  return static_cast<uint64_t>(
      std::find_if(marks, end, [](std::byte b) { return b != std::byte{kMark}; }) - marks);
}

}  // namespace

void CallMemory::fill(Ports& stored, const Ports& initial) {
  for (size_t p = 0; p < at_.inputs.size(); ++p) {
    for (size_t t = 0; t < at_.inputs[p].size(); ++t) {
      const Slot& slot = at_.inputs[p][t];
      if (slot.writable) fill_writable(slot, &stored[p][t]);
      if (!slot.writable) fill_input(slot, stored[p][t].data(), stored[p][t].size_bytes());
      settle(stored[p][t], slot);
    }
  }
  fill_input(at_.tiling, plan_.tiling.data.data(), plan_.tiling.data.size());
  for (size_t o = 0; o < at_.outputs.size(); ++o) {
    const auto input = plan_.replaced_by(o);
    const PortTensors& starts = input ? stored[*input] : initial[o];
    for (size_t t = 0; t < at_.outputs[o].size(); ++t) {
      const Slot& slot = at_.outputs[o][t];
      fill_writable(slot, t < starts.size() ? &starts[t] : nullptr);
      if (plan_.initial[o])
        write_value(plan_.output_layouts[o][t].dtype(), *plan_.initial[o],
                    shared_.outputs.data() + slot.at, slot.bytes);
    }
  }
}

// What was copied is there once more, and no longer needed where it came from.
void CallMemory::settle(Tensor& tensor, const Slot& slot) const {
  if (lease_ && slot.at != kNowhere) tensor = tensor_in(lease_, slot, tensor.desc());
}

// Behind a tensor lies what a launch puts there (core::GmRange::has_tail); tiling data are zero up
// to the least that a kernel may read.
void CallMemory::fill_input(const Slot& slot, const std::byte* from, uint64_t bytes) const {
  if (slot.at == kNowhere) return;
  std::byte* to = shared_.inputs.data() + slot.at;
  copy_bytes(to, from, bytes);
  if (bytes < slot.bytes) std::memset(to + bytes, 0, slot.bytes - bytes);
  std::memset(to + slot.bytes, kPoison, slot.room - slot.bytes);
}

void CallMemory::fill_writable(const Slot& slot, const Tensor* start) const {
  if (slot.at == kNowhere) return;
  std::byte* pages = shared_.outputs.data() + slot.pages_at;
  std::byte* to = shared_.outputs.data() + slot.at;
  std::byte* end = pages + slot.pages_bytes;
  std::memset(pages, kMark, static_cast<size_t>(to - pages));
  std::memset(to, kPoison, start ? 0 : slot.bytes);
  if (start) copy_bytes(to, start->data(), std::min<uint64_t>(start->size_bytes(), slot.bytes));
  std::memset(to + slot.bytes, kPoison, slot.room - slot.bytes);
  std::memset(to + slot.room, kMark, static_cast<size_t>(end - to) - slot.room);
}

Status CallMemory::check_marks(const Slot& slot, const std::string& name) const {
  const std::byte* pages = shared_.outputs.data() + slot.pages_at;
  const std::byte* to = shared_.outputs.data() + slot.at;
  const auto in_front = static_cast<uint64_t>(to - pages);
  const uint64_t behind = slot.pages_bytes - in_front - slot.room;
  const auto refuse = [&](const std::string& where) {
    return plan_.contract->error("OPK-WORKER-010",
                                 fmt::format("the kernel wrote {} {}", where, name),
                                 "correct the index or the length of the access");
  };
  if (const uint64_t at = first_changed(pages, in_front); at < in_front)
    return refuse(fmt::format("{} bytes in front of", in_front - at));
  if (const uint64_t at = first_changed(to + slot.room, behind); at < behind)
    return refuse(fmt::format("{} bytes behind the end of", slot.room + at - slot.bytes));
  return {};
}

Tensor CallMemory::copy_of(const Slot& slot, const TensorDesc& desc) const {
  Tensor tensor(desc.dtype, desc.shape, desc.name);
  tensor.desc() = desc;
  copy_bytes(tensor.data(), shared_.outputs.data() + slot.at, tensor.size_bytes());
  return tensor;
}

Result<Ports> CallMemory::outputs() const {
  Ports all;
  for (size_t o = 0; o < at_.outputs.size(); ++o) {
    const Port& declared = plan_.contract->outputs[o];
    PortTensors& port = all.emplace_back();
    for (size_t t = 0; t < at_.outputs[o].size(); ++t) {
      const Slot& slot = at_.outputs[o][t];
      OPKIT_CHECK(check_marks(slot, buffer_name(declared, true, t)));
      const StorageLayout& layout = plan_.output_layouts[o][t];
      const TensorDesc desc{declared.name, layout.dtype(), layout.storage(), layout.format()};
      port.push_back(lease_ ? tensor_in(lease_, slot, desc) : copy_of(slot, desc));
    }
  }
  return all;
}

Status CallMemory::take_written(Ports& stored) const {
  for (size_t p = 0; p < at_.inputs.size(); ++p) {
    for (size_t t = 0; t < at_.inputs[p].size(); ++t) {
      const Slot& slot = at_.inputs[p][t];
      if (!slot.writable || slot.at == kNowhere) continue;
      OPKIT_CHECK(check_marks(slot, buffer_name(plan_.contract->inputs[p], false, t)));
      copy_bytes(stored[p][t].data(), shared_.outputs.data() + slot.at, stored[p][t].size_bytes());
    }
  }
  return {};
}

Status CallMemory::take_to(void* to, const Slot& slot, const std::string& name) const {
  if (!slot.writable || slot.at == kNowhere) return {};
  OPKIT_CHECK(check_marks(slot, name));
  copy_bytes(static_cast<std::byte*>(to), shared_.outputs.data() + slot.at, slot.bytes);
  return {};
}

Status CallMemory::take_to(const CallAddresses& to) const {
  const OpContract& contract = *plan_.contract;
  for (size_t p = 0; p < at_.inputs.size(); ++p) {
    for (size_t t = 0; t < at_.inputs[p].size(); ++t)
      OPKIT_CHECK(
          take_to(to.inputs[p][t], at_.inputs[p][t], buffer_name(contract.inputs[p], false, t)));
  }
  for (size_t o = 0; o < at_.outputs.size(); ++o) {
    for (size_t t = 0; t < at_.outputs[o].size(); ++t)
      OPKIT_CHECK(
          take_to(to.outputs[o][t], at_.outputs[o][t], buffer_name(contract.outputs[o], true, t)));
  }
  return {};
}

uint64_t CallMemory::written() const {
  uint64_t bytes = 0;
  for (const auto& port : at_.outputs) {
    for (const Slot& slot : port) {
      const std::byte* from = shared_.outputs.data() + slot.at;
      bytes += slot.bytes -
               static_cast<uint64_t>(std::count(from, from + slot.bytes, std::byte{kPoison}));
    }
  }
  return bytes;
}

}  // namespace opkit::isolation
