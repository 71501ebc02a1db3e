// What a plugin can do to the process that runs it: OPKIT_HOSTILE=<stage>:<act>.
#ifndef HOSTILE_OP_HOSTILE_H_
#define HOSTILE_OP_HOSTILE_H_

#include <fcntl.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <new>
#include <stdexcept>
#include <string>
#include <thread>

namespace hostile {

inline std::string act_of(const char* stage) {
  const char* said = std::getenv("OPKIT_HOSTILE");
  const std::string text = said ? said : "", prefix = std::string(stage) + ":";
  return text.rfind(prefix, 0) == 0 ? text.substr(prefix.size()) : std::string();
}

// A file of the test; every act on it must be refused.
inline std::string victim() { return std::getenv("OPKIT_HOSTILE_VICTIM"); }

// What was to be refused and was not shows as SIGABRT.
inline void must_fail(bool failed) {
  if (!failed) std::abort();
}

// Builds refuse an array of that size, because they see it.
[[gnu::noinline]] inline int take_stack() {
  constexpr size_t kBytes = size_t{3} << 20;
  volatile char* large = static_cast<char*>(__builtin_alloca(kBytes));
  large[0] = 1;
  for (size_t i = 0; i < kBytes; i += 4096) large[i] = large[0];
  return large[kBytes - 1];
}

// As good as endless; every frame is used after the call.
[[gnu::noinline]] inline int recurse(volatile int depth) {
  volatile char frame[4096];
  frame[depth % 4096] = 1;
  return depth < 0 ? 0 : recurse(depth + 1) + frame[0];
}

inline void print_much() {
  const std::string line(1 << 16, 'x');
  for (int i = 0; i < 14400; ++i) std::fwrite(line.data(), 1, line.size(), stdout);  // 900 MB
}

[[gnu::noinline]] inline void free_twice() {
  void* volatile once = std::malloc(40);
  std::free(once);
  std::free(once);
}

inline void spoil_files() {
  const std::string file = victim();
  must_fail(open(file.c_str(), O_WRONLY) < 0);
  must_fail(open((file + ".new").c_str(), O_WRONLY | O_CREAT, 0600) < 0);
  must_fail(truncate(file.c_str(), 0) != 0);
  must_fail(unlink(file.c_str()) != 0);
  must_fail(rename(file.c_str(), (file + ".moved").c_str()) != 0);
  must_fail(link(file.c_str(), (file + ".link").c_str()) != 0);
  must_fail(symlink(file.c_str(), (file + ".symlink").c_str()) != 0);
  must_fail(mkdir((file + ".folder").c_str(), 0700) != 0);
}

inline void spoil_modes() {
  const std::string file = victim();
  must_fail(chmod(file.c_str(), 0) != 0);
  must_fail(chown(file.c_str(), getuid(), getgid()) != 0);
  const int reads = open(file.c_str(), O_RDONLY);
  must_fail(fchmod(reads, 0) != 0);
  must_fail(flock(reads, LOCK_EX | LOCK_NB) != 0);
  close(reads);
}

// Descriptors that a worker is given: 3 its socket, 4 inputs, 5 outputs, 6 the page of its end, 7
// the mailbox.
inline void spoil_mailbox() {
  struct stat file;
  if (fstat(7, &file) != 0) return;
  const auto bytes = static_cast<size_t>(file.st_size);
  void* box = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, 7, 0);
  if (box != MAP_FAILED) std::memset(box, 0xff, bytes);
}

inline void spoil_inputs() {
  must_fail(mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, 4, 0) == MAP_FAILED);
  must_fail(pwrite(4, "hostile", 7, 0) < 0);
}

inline void lie_about_the_end() {
  void* page = mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, 6, 0);
  if (page != MAP_FAILED) std::memset(page, 0xff, 4096);
  _exit(0);
}

inline void use_limits() {
  const rlimit endless{RLIM_INFINITY, RLIM_INFINITY}, nothing{0, 0};
  must_fail(prlimit(getppid(), RLIMIT_NOFILE, &nothing, nullptr) != 0);
  setrlimit(RLIMIT_FSIZE, &endless);
}

inline void ignore_signals() {
  sigset_t all;
  sigfillset(&all);
  sigprocmask(SIG_BLOCK, &all, nullptr);
  for (int each = 1; each < 32; ++each) ::signal(each, SIG_IGN);
}

// In code of the C library: the plugin's is gone when it has been unloaded.
inline void leave_a_thread() {
  pthread_t thread;
  const auto wait = reinterpret_cast<void* (*)(void*)>(reinterpret_cast<void*>(&pause));
  must_fail(pthread_create(&thread, nullptr, wait, nullptr) == 0);
  pthread_detach(thread);
}

inline void jump_to_nowhere() {
  static jmp_buf nowhere;
  longjmp(nowhere, 1);
}

inline std::atomic<bool> leaving{false};

// Every block does so, while others run: nothing that they use may be destroyed (~Globals).
inline void leave(int code) {
  leaving = true;
  std::exit(code);
}

inline void end_by(const std::string& act) {
  volatile int zero = 0;
  int* volatile null = nullptr;
  if (act == "read_null") std::printf("%d", *null);
  if (act == "write_null") *null = 1;
  if (act == "call_null") reinterpret_cast<void (*volatile)()>(null)();
  if (act == "far") std::printf("%d", *reinterpret_cast<volatile int*>(uint64_t{0x456789abc000}));
  if (act == "write_code") *reinterpret_cast<volatile char*>(&end_by) = 1;
  if (act == "divide") std::printf("%d", 1000 / zero);
  if (act == "trap") __builtin_trap();
  if (act == "abort") std::abort();
  if (act == "terminate") std::terminate();
  if (act == "raise") raise(SIGSEGV);
  if (act == "kill_self") kill(getpid(), SIGKILL);
  if (act == "deaf") {
    ignore_signals();
    *null = 1;
  }
  if (act == "recurse") recurse(0);
  if (act == "stack") take_stack();
  if (act == "free_twice") free_twice();
  if (act == "longjmp") jump_to_nowhere();
  if (act == "throw") throw std::runtime_error("boom");
  if (act == "throw_int") throw 7;
  if (act == "no_memory") std::printf("%p", ::operator new(SIZE_MAX / 4));
  if (act == "exit") leave(0);
  if (act == "exit_1") leave(1);
  if (act == "_exit") _exit(0);
  if (act == "end_thread") pthread_exit(nullptr);
  if (act == "lie") lie_about_the_end();
}

inline void give_no_answer(const std::string& act) {
  volatile int zero = 0;
  if (act == "loop") {
    while (zero == 0) {
    }
  }
  if (act == "sleep") {
    while (true) sleep(1000);
  }
  if (act == "stop") raise(SIGSTOP);
  if (act == "print") print_much();
  if (act == "close") {
    for (int fd = 0; fd < 1024; ++fd) close(fd);
  }
  if (act == "mailbox") spoil_mailbox();
}

inline void reach_out(const std::string& act) {
  char* const arguments[] = {const_cast<char*>("true"), nullptr};
  if (act == "json") {
    std::printf("{\"verdict\": \"PASSED\", \"by\": \"the plugin\"}\n");
    std::fflush(stdout);
  }
  if (act == "close_std") {
    for (int fd = 0; fd < 3; ++fd) close(fd);
  }
  if (act == "fork") must_fail(fork() < 0);
  if (act == "exec") must_fail(execv("/bin/true", arguments) < 0);
  if (act == "kill_parent") must_fail(kill(getppid(), SIGKILL) != 0);
  if (act == "kill_all") {
    must_fail(kill(0, SIGKILL) != 0);
    must_fail(kill(-1, SIGKILL) != 0);
  }
  if (act == "ptrace") must_fail(ptrace(PTRACE_ATTACH, getppid(), nullptr, nullptr) != 0);
  if (act == "rlimit") use_limits();
  if (act == "files") spoil_files();
  if (act == "modes") spoil_modes();
  if (act == "socket") {
    must_fail(socket(AF_INET, SOCK_STREAM, 0) < 0);
    must_fail(socket(AF_UNIX, SOCK_STREAM, 0) < 0);
  }
  if (act == "inputs") spoil_inputs();
  if (act == "map")
    mmap(nullptr, size_t{1} << 45, PROT_READ | PROT_WRITE,
         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (act == "left_thread") leave_a_thread();
  if (act == "environment") clearenv();
  if (act == "read_file") must_fail(open(victim().c_str(), O_RDONLY) < 0);
  if (act == "colours") {
    std::printf("\033[2J\033]0;mine\007 all is well\n");
    std::fflush(stdout);
  }
}

// Each way to take memory without end.
inline void hoard(const std::string& act) {
  constexpr size_t kPiece = 8 << 20;
  if (act == "memory") {
    for (;;) std::memset(std::malloc(kPiece), 1, kPiece);
  }
  if (act == "memory_aloud") {
    for (;; std::printf("more\n"), std::fflush(stdout)) std::memset(std::malloc(kPiece), 1, kPiece);
  }
  if (act == "shared_memory") {
    for (;;) {
      std::memset(mmap(nullptr, kPiece, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0),
                  1, kPiece);
    }
  }
  if (act == "memory_file") {
    // A file for each: one may not become longer than RLIMIT_FSIZE.
    const std::string piece(kPiece, 'x');
    for (;;) must_fail(write(memfd_create("hoard", 0), piece.data(), kPiece) > 0);
  }
  if (act == "arena") {  // 5: outputs
    struct stat file;
    fstat(5, &file);
    const auto bytes = static_cast<size_t>(file.st_size);
    auto* at = static_cast<char*>(mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, 5, 0));
    for (size_t i = 0; i + kPiece <= bytes; i += kPiece) std::memset(at + i, 1, kPiece);
    pause();
  }
  if (act == "threads") {
    for (;;) std::thread([] { pause(); }).detach();
  }
}

inline void misbehave(const char* stage) {
  const std::string act = act_of(stage);
  if (act.empty()) return;
  end_by(act);
  give_no_answer(act);
  reach_out(act);
  hoard(act);
}

struct Globals {
  Globals() { misbehave("constructor"); }
  ~Globals() {
    if (leaving) std::abort();
    misbehave("destructor");
  }
};

}  // namespace hostile

#endif  // HOSTILE_OP_HOSTILE_H_
