#include "opkit/isolation/worker_memory.h"

#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace opkit::isolation {
namespace {

std::byte* map_arena(int fd) {
  struct stat facts = {};
  if (::fstat(fd, &facts) != 0) ::_exit(2);
  const auto bytes = static_cast<size_t>(facts.st_size);
  void* base = ::mmap(nullptr, bytes, PROT_NONE, MAP_SHARED | MAP_NORESERVE, fd, 0);
  if (base == MAP_FAILED) ::_exit(2);
  return static_cast<std::byte*>(base);
}

}  // namespace

WorkerMemory::WorkerMemory(int inputs_fd, int outputs_fd)
    : inputs_(map_arena(inputs_fd)), outputs_(map_arena(outputs_fd)) {}

void WorkerMemory::shut() {
  const Ends ends = ends_of(opened_);
  ::mprotect(inputs_, ends.inputs, PROT_NONE);
  ::mprotect(outputs_, ends.outputs, PROT_NONE);
}

void* WorkerMemory::at(const Slot& slot) const {
  if (slot.at == kNowhere) return nullptr;
  return (slot.writable ? outputs_ : inputs_) + slot.at;
}

std::vector<std::vector<void*>> WorkerMemory::addresses(
    const std::vector<std::vector<Slot>>& ports) const {
  std::vector<std::vector<void*>> all;
  for (const auto& port : ports) {
    all.emplace_back();
    for (const Slot& slot : port) all.back().push_back(at(slot));
  }
  return all;
}

void WorkerMemory::open(const Slot& slot) const {
  if (slot.at == kNowhere) return;
  std::byte* base = (slot.writable ? outputs_ : inputs_) + slot.pages_at;
  const int access = slot.writable ? PROT_READ | PROT_WRITE : PROT_READ;
  if (::mprotect(base, slot.pages_bytes, access) != 0) ::_exit(2);
}

CallAddresses WorkerMemory::open(const Placement& placement, void* workspace) {
  if (!(placement == opened_)) {
    shut();
    for (const auto* side : {&placement.inputs, &placement.outputs}) {
      for (const auto& port : *side)
        for (const Slot& slot : port) open(slot);
    }
    open(placement.tiling);
    opened_ = placement;
  }
  CallAddresses all;
  all.inputs = addresses(placement.inputs);
  all.outputs = addresses(placement.outputs);
  all.workspace = workspace;
  all.tiling = at(placement.tiling);
  // Reads find the rest of an input's page; a write there is a fault of the page.
  all.have_tails = all.own_inputs = true;
  all.defined = placement.defined;
  return all;
}

GuardedBytes::GuardedBytes(size_t bytes) : bytes_(bytes) {
  const size_t inner = (bytes + kPage - 1) / kPage * kPage;
  mapped_ = inner + 2 * kPage;
  base_ = ::mmap(nullptr, mapped_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (base_ == MAP_FAILED) ::_exit(2);
  auto* first = static_cast<std::byte*>(base_) + kPage;
  ::mprotect(first, inner, PROT_READ | PROT_WRITE);
  data_ = first + inner - bytes;
}

GuardedBytes::~GuardedBytes() { ::munmap(base_, mapped_); }

}  // namespace opkit::isolation
