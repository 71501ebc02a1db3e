#include "opkit/call/plan/workspace.h"

#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <string>

#include "opkit/call/plan/poison.h"

namespace opkit {
namespace {

constexpr uint64_t kSource = uint64_t{2} << 20;  // bytes of the file that every workspace shows
constexpr uint64_t kBehind = 64;                 // readable bytes behind the end

// Returns an anonymous file of poison; -1 when the host has none to give.
int poison_file() {
  static const int kFile = [] {
    const int file = ::memfd_create("opkit-poison", MFD_CLOEXEC);
    const std::string poison(kSource, static_cast<char>(kPoison));
    const bool written =
        file >= 0 && ::write(file, poison.data(), poison.size()) == static_cast<ssize_t>(kSource);
    return written ? file : -1;
  }();
  return kFile;
}

Error no_memory(uint64_t bytes) {
  return Error("OPK-RUN-005", fmt::format("no {} bytes of address space for a workspace", bytes),
               "let the tiling function ask for a smaller workspace");
}

// The file again and again: private pages, which are copied where they are written.
bool show_poison(std::byte* memory, uint64_t bytes) {
  for (uint64_t at = 0; at < bytes; at += kSource) {
    const void* shown = ::mmap(memory + at, std::min(kSource, bytes - at), PROT_READ | PROT_WRITE,
                               MAP_PRIVATE | MAP_FIXED | MAP_NORESERVE, poison_file(), 0);
    if (shown == MAP_FAILED) return false;
  }
  return true;
}

}  // namespace

Result<Workspace> Workspace::make(uint64_t bytes, bool dry) {
  constexpr uint64_t kMost = uint64_t{1} << 56;  // more than any host addresses
  if (bytes > kMost) return no_memory(bytes);
  const auto page = static_cast<uint64_t>(::sysconf(_SC_PAGESIZE));
  const uint64_t mapped = (bytes + kBehind + page - 1) / page * page;
  // A page behind it that nobody may touch.
  void* base =
      ::mmap(nullptr, mapped + page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (base == MAP_FAILED) return no_memory(bytes);
  if (::mprotect(base, mapped, PROT_READ | PROT_WRITE) != 0) {
    ::munmap(base, mapped + page);
    return no_memory(bytes);
  }
  Workspace workspace;
  workspace.bytes_ = bytes;
  workspace.memory_ = {static_cast<std::byte*>(base),
                       [mapped, page](std::byte* memory) { ::munmap(memory, mapped + page); }};
  if (dry) return workspace;
  constexpr uint64_t kMostParts = 4096;  // mappings of one process are limited
  const bool shown = poison_file() >= 0 && mapped / kSource < kMostParts &&
                     show_poison(workspace.memory_.get(), mapped);
  workspace.mapped_ = shown ? mapped : 0;
  if (!shown) workspace.poison();
  return workspace;
}

void Workspace::poison() {
  if (bytes_ == 0) return;
  if (mapped_ != 0 && ::madvise(memory_.get(), mapped_, MADV_DONTNEED) == 0) return;
  std::memset(memory_.get(), kPoison, bytes_ + kBehind);
}

}  // namespace opkit
