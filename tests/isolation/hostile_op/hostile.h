// What a plugin can do to the process that runs it: OPKIT_HOSTILE=<stage>:<act>.
#ifndef HOSTILE_OP_HOSTILE_H_
#define HOSTILE_OP_HOSTILE_H_

#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <stdexcept>
#include <string>

namespace hostile {

inline std::string act_of(const char* stage) {
  const char* said = std::getenv("OPKIT_HOSTILE");
  const std::string text = said ? said : "", prefix = std::string(stage) + ":";
  return text.rfind(prefix, 0) == 0 ? text.substr(prefix.size()) : std::string();
}

[[gnu::noinline]] inline int take_stack() {
  volatile char large[3 << 20];
  large[0] = 1;
  for (size_t i = 0; i < sizeof large; i += 4096) large[i] = large[0];
  return large[sizeof large - 1];
}

// Endless; every frame is used after the call.
[[gnu::noinline]] inline int recurse(volatile int depth) {
  volatile char frame[4096];
  frame[depth % 4096] = 1;
  return recurse(depth + 1) + frame[0];
}

inline void print_much() {
  const std::string line(1 << 16, 'x');
  for (int i = 0; i < 14400; ++i) std::fwrite(line.data(), 1, line.size(), stdout);  // 900 MB
}

// A few are enough to be seen; each would outlive its parent.
inline void fork_some() {
  for (int i = 0; i < 8; ++i) {
    const pid_t child = fork();
    if (child == 0) {
      std::ofstream(std::string(std::getenv("OPKIT_HOSTILE_TRACE")) + ".forked") << "here";
      for (int second = 0; second < 20; ++second) sleep(1);
      _exit(0);
    }
    if (child < 0) std::abort();  // forbidden
  }
}

inline void misbehave(const char* stage) {
  const std::string act = act_of(stage);
  if (act.empty()) return;
  volatile int zero = 0;
  int* volatile null = nullptr;
  if (act == "segv") raise(SIGSEGV);
  if (act == "abort") std::abort();
  if (act == "exit") std::exit(0);
  if (act == "_exit") _exit(0);
  if (act == "throw") throw std::runtime_error("boom");
  if (act == "throw_int") throw 7;
  if (act == "loop") {
    while (zero == 0) {
    }
  }
  if (act == "sleep") {
    while (true) sleep(1000);
  }
  if (act == "stack") take_stack();
  if (act == "recurse") recurse(0);
  if (act == "null") *null = 1;
  if (act == "divide") std::printf("%d", 1000 / zero);
  if (act == "far") std::printf("%d", *reinterpret_cast<volatile int*>(uint64_t{0x123456789000}));
  if (act == "print") print_much();
  if (act == "close") {
    for (int fd = 0; fd < 1024; ++fd) close(fd);
  }
  if (act == "fork") fork_some();
  if (act == "kill_parent") kill(getppid(), SIGKILL);
  if (act == "kill_group") kill(0, SIGKILL);
  if (act == "kill_all") kill(-1, SIGKILL);
  if (act == "stop") raise(SIGSTOP);
  if (act == "write_file") {
    std::ofstream(std::string(std::getenv("OPKIT_HOSTILE_TRACE")) + ".written") << "here";
  }
  if (act == "trap") __builtin_trap();
  if (act == "memory") {
    for (size_t i = 0;; ++i) {
      void* piece = std::malloc(64 << 20);
      if (!piece) std::abort();
      std::memset(piece, 1, 64 << 20);
    }
  }
}

struct Globals {
  Globals() { misbehave("constructor"); }
  ~Globals() { misbehave("destructor"); }
};

}  // namespace hostile

#endif  // HOSTILE_OP_HOSTILE_H_
