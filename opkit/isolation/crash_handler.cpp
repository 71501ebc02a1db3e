#include "opkit/isolation/crash_handler.h"

#include <cxxabi.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <ucontext.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <new>
#include <system_error>
#include <typeinfo>

#include "opkit/core/running.h"

namespace opkit::isolation {
namespace {

// Signal handlers have no arguments of their own.
Incident* page = nullptr;
char library[4096];
uint64_t library_inode = 0;

constexpr size_t kHandlerStack = 256 << 10;
constexpr uint64_t kMostScanned = 64 << 10;  // bytes of the stack

// What handlers need of the memory map; found without allocating.
struct Map {
  uint64_t base = 0, code_begin = 0, code_end = 0;  // tell where the library and its code lie
  uint64_t stack_end = 0;                           // ends the mapping that holds the stack pointer
};

const char* last_part(const char* path) {
  const char* slash = std::strrchr(path, '/');
  return slash ? slash + 1 : path;
}

// Tells whether a mapping is the library, which may have moved. `fields`: " r-xp offset dev inode".
bool is_library(const char* fields, const char* path) {
  if (std::strcmp(path, library) == 0) return true;
  for (int i = 0; i < 3 && fields; ++i) fields = std::strchr(fields + 1, ' ');
  return fields && library_inode != 0 && std::strtoull(fields, nullptr, 10) == library_inode &&
         std::strcmp(last_part(path), last_part(library)) == 0;
}

// A line of /proc/self/maps: "7f..-7f.. r-xp offset dev inode   path".
void take_line(const char* line, uint64_t stack, Map& map) {
  char* at = nullptr;
  const uint64_t begin = std::strtoull(line, &at, 16);
  const uint64_t end = *at == '-' ? std::strtoull(at + 1, &at, 16) : 0;
  if (begin <= stack && stack < end) map.stack_end = end;
  const char* path = std::strchr(line, '/');
  if (!path || !is_library(at, path)) return;
  if (map.base == 0) map.base = begin;
  if (at[0] == ' ' && at[3] == 'x') {
    if (map.code_begin == 0) map.code_begin = begin;
    map.code_end = end;
  }
}

Map read_map(uint64_t stack) {
  Map map;
  const int file = ::open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
  if (file < 0) return map;
  static char line[8192];
  size_t filled = 0;
  char chunk[4096];
  for (ssize_t got; (got = ::read(file, chunk, sizeof chunk)) > 0;) {
    for (ssize_t i = 0; i < got; ++i) {
      if (chunk[i] != '\n') {
        if (filled + 1 < sizeof line) line[filled++] = chunk[i];
        continue;
      }
      line[filled] = '\0';
      take_line(line, stack, map);
      filled = 0;
    }
  }
  ::close(file);
  return map;
}

// Returns the instruction itself, or the innermost return address on the stack that lies in the
// library: the engine works on behalf of the kernel that called it.
uint64_t author_offset(uint64_t pc, uint64_t stack) {
  const Map map = read_map(stack);
  const auto inside = [&map](uint64_t at) { return at >= map.code_begin && at < map.code_end; };
  // As a return address: one behind the instruction.
  if (inside(pc)) return pc + 1 - map.base;
  const uint64_t end = std::min(map.stack_end, stack + kMostScanned);
  for (uint64_t at = stack & ~uint64_t{7}; at + 8 <= end; at += 8) {
    uint64_t word = 0;
    std::memcpy(&word, reinterpret_cast<const void*>(at), sizeof word);
    if (inside(word)) return word - map.base;
  }
  return 0;
}

FaultAccess access_of(const ucontext_t& context) {
  const auto error = static_cast<uint64_t>(context.uc_mcontext.gregs[REG_ERR]);
  if ((error & 0x10) != 0) return FaultAccess::kExecute;
  return (error & 0x2) != 0 ? FaultAccess::kWrite : FaultAccess::kRead;
}

bool sent_by_others(const siginfo_t& info) {
  return info.si_code <= 0 && info.si_pid != ::getpid();
}

// Returns the bytes of the running block's stack, if that is full; else 0.
uint64_t full_stack(const ucontext_t& context, const void* address) {
  const auto* top = reinterpret_cast<const void*>(context.uc_mcontext.gregs[REG_RSP]);
  const core::StackRange stack = core::running_stack();
  return core::fills_running_stack(top, address) ? static_cast<uint64_t>(stack.end - stack.begin)
                                                 : 0;
}

void write_page(int signal, const siginfo_t* info, const void* context) {
  const auto& at = *static_cast<const ucontext_t*>(context);
  const bool of_memory = signal == SIGSEGV || signal == SIGBUS;
  page->signal = signal;
  page->code = info->si_code;
  const bool fault = of_memory && info->si_code > 0;  // not raised by somebody
  page->address = fault ? reinterpret_cast<uint64_t>(info->si_addr) : 0;
  page->access = static_cast<uint32_t>(fault ? access_of(at) : FaultAccess::kUnknown);
  if (sent_by_others(*info)) page->want = static_cast<uint32_t>(Want::kOutside);
  const core::RunningBlock running = core::running_block();
  page->in_block = running.known ? 1 : 0;
  page->block = running.block;
  page->sub_block = running.sub_block;
  const uint64_t filled = running.known && fault ? full_stack(at, info->si_addr) : 0;
  page->full_stack = static_cast<uint32_t>(filled);
  // What lies at the pointer of a stack that is full may not be read.
  const auto stack = filled != 0 ? reinterpret_cast<uint64_t>(core::running_stack().begin)
                                 : static_cast<uint64_t>(at.uc_mcontext.gregs[REG_RSP]);
  page->offset = author_offset(static_cast<uint64_t>(at.uc_mcontext.gregs[REG_RIP]), stack);
  page->written.store(1);
}

// Ends the process as if there were no handler.
void end_by(int signal) {
  struct sigaction none = {};
  none.sa_handler = SIG_DFL;
  ::sigaction(signal, &none, nullptr);
  ::raise(signal);
}

// Blocks may fail in several threads at once: the first one tells, the others wait for the end.
void on_end(int signal, siginfo_t* info, void* context) {
  static std::atomic<pthread_t> first{0};
  pthread_t known = 0;
  if (first.compare_exchange_strong(known, ::pthread_self())) {
    write_page(signal, info, context);
  } else if (!::pthread_equal(known, ::pthread_self())) {
    while (true) ::pause();
  }
  end_by(signal);  // also after a fault in here
}

void on_question(int signal, siginfo_t* info, void* context) {
  write_page(signal, info, context);
  while (true) ::pause();  // the host ends what does not answer
}

// What the plugin asked for may have been too much; this is not.
bool lacks_memory() {
  constexpr size_t kModest = size_t{256} << 20;
  void* memory = ::mmap(nullptr, kModest, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) return true;
  ::munmap(memory, kModest);
  return false;
}

bool lacks_threads() {
  pthread_t thread;
  const auto nothing = [](void*) -> void* { return nullptr; };
  if (::pthread_create(&thread, nullptr, nothing, nullptr) != 0) return true;
  ::pthread_join(thread, nullptr);
  return false;
}

// Returns the text of what was thrown, which lives as long as that. Notes what is wanting.
const char* look_at(const std::exception_ptr& thrown) {
  Want want = Want::kNothing;
  const char* what = "";
  try {
    if (thrown) std::rethrow_exception(thrown);
  } catch (const std::bad_alloc& exception) {
    what = exception.what();
    if (lacks_memory()) want = Want::kMemory;
  } catch (const std::system_error& exception) {
    what = exception.what();
    if (exception.code() == std::errc::resource_unavailable_try_again && lacks_threads())
      want = Want::kThreads;
  } catch (const std::exception& exception) {
    what = exception.what();
  } catch (...) {
  }
  page->want = static_cast<uint32_t>(want);
  return what;
}

void on_terminate() {
  const std::type_info* type = abi::__cxa_current_exception_type();
  const std::exception_ptr thrown = std::current_exception();
  const char* what = look_at(thrown);
  int failed = 1;
  char* name = type ? abi::__cxa_demangle(type->name(), nullptr, nullptr, &failed) : nullptr;
  std::snprintf(page->exception, sizeof page->exception, "%s%s%s",
                failed == 0 ? name : (type ? type->name() : "std::terminate"), *what ? ": " : "",
                what);
  std::abort();
}

}  // namespace

void describe_end_on(Incident& incident, const std::string& file) {
  page = &incident;
  std::snprintf(library, sizeof library, "%s", file.c_str());
  struct stat facts = {};
  library_inode = ::stat(library, &facts) == 0 ? facts.st_ino : 0;
  void* memory = ::mmap(nullptr, kHandlerStack, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);
  if (memory != MAP_FAILED) {
    stack_t stack = {};
    stack.ss_sp = memory;
    stack.ss_size = kHandlerStack;
    ::sigaltstack(&stack, nullptr);
  }
  struct sigaction action = {};
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
  sigemptyset(&action.sa_mask);
  action.sa_sigaction = on_end;
  for (const int each : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP, SIGSYS, SIGTERM, SIGINT,
                         SIGHUP, SIGQUIT})
    ::sigaction(each, &action, nullptr);
  action.sa_sigaction = on_question;
  ::sigaction(SIGUSR2, &action, nullptr);
  std::set_terminate(on_terminate);
}

}  // namespace opkit::isolation
