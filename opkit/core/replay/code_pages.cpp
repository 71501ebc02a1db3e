#include "opkit/core/replay/code_pages.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cstring>

namespace opkit::core {

std::unique_ptr<const CodePages> CodePages::make(const std::vector<uint8_t>& code) {
  const auto page = static_cast<size_t>(::sysconf(_SC_PAGESIZE));
  const size_t bytes = (code.size() + page - 1) / page * page;
  if (bytes == 0) return nullptr;
  void* pages = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (pages == MAP_FAILED) return nullptr;
  std::memcpy(pages, code.data(), code.size());
  if (::mprotect(pages, bytes, PROT_READ | PROT_EXEC) != 0) {
    ::munmap(pages, bytes);
    return nullptr;
  }
  return std::unique_ptr<const CodePages>(new CodePages(static_cast<uint8_t*>(pages), bytes));
}

CodePages::~CodePages() { ::munmap(begin_, bytes_); }

}  // namespace opkit::core
