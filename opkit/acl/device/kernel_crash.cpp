#include "opkit/acl/device/kernel_crash.h"

#include <dlfcn.h>
#include <signal.h>
#include <ucontext.h>

#include <array>
#include <cstdint>
#include <cstdio>
#include <string>

#include "opkit/core/running.h"

namespace opkit::acl {
namespace {

constexpr std::array<int, 4> kSignals = {SIGFPE, SIGSEGV, SIGBUS, SIGILL};
std::array<struct sigaction, kSignals.size()> before;

// What the handler found, for the thread that goes on with end_block().
struct Crash {
  int signal = 0;
  const void* pc = nullptr;
  const void* address = nullptr;
  size_t filled_stack = 0;  // bytes of the stack that was not enough; 0: another fault
};
thread_local Crash crash;

std::string hex(const void* address) {
  char text[32];
  std::snprintf(text, sizeof text, "%p", address);
  return address ? text : "a null pointer";
}

void describe_filled_stack(size_t bytes, core::Fault& fault) {
  fault.message = "the kernel needs more than " + std::to_string(bytes) +
                  " bytes of stack; a core of the chip has 32768";
  fault.action =
      "look for a function that calls itself, and for arrays whose length is known at run time "
      "only: large ones belong in UB";
}

core::Fault fault_of(const Crash& seen) {
  core::Fault fault;
  fault.code = "EK1609";
  fault.instruction = "scalar code";
  // Reports take the places of instructions as return addresses.
  fault.pc = static_cast<const uint8_t*>(seen.pc) + 1;
  if (seen.filled_stack != 0) {
    describe_filled_stack(seen.filled_stack, fault);
    return fault;
  }
  switch (seen.signal) {
    case SIGFPE:
      fault.message = "the kernel divides an integer by zero, or beyond its range";
      fault.action = "look for / and % on this line, and for a tiling value that is 0";
      break;
    case SIGILL:
      fault.message = "the kernel reaches code that the compiler takes for unreachable";
      fault.action = "look for a function without a return, or an undefined operation";
      break;
    default:
      fault.message = "the kernel touches memory that is not there, at " + hex(seen.address);
      fault.action =
          "look for a null or wild pointer, an argument that the host left null, or an "
          "array that is indexed behind its end";
  }
  return fault;
}

// Where a thread goes on that crashed in a kernel: on the stack of its block, outside of the
// handler.
void end_block() { core::end_running_block(fault_of(crash)); }

// Tells whether the address is this library's own: its faults are no kernel's, and locks may be
// held.
bool is_ours(const void* pc) {
  static Dl_info own = {};
  Dl_info info = {};
  if (!own.dli_fbase) ::dladdr(reinterpret_cast<const void*>(&watch_kernels), &own);
  return ::dladdr(pc, &info) != 0 && info.dli_fbase == own.dli_fbase;
}

void hand_on(int signal, siginfo_t* info, void* context) {
  for (size_t i = 0; i < kSignals.size(); ++i) {
    if (kSignals[i] != signal) continue;
    const struct sigaction& old = before[i];
    if ((old.sa_flags & SA_SIGINFO) != 0 && old.sa_sigaction)
      return old.sa_sigaction(signal, info, context);
    if (old.sa_handler != SIG_DFL && old.sa_handler != SIG_IGN) return old.sa_handler(signal);
    ::sigaction(signal, &old, nullptr);  // it comes again, and ends the process
  }
}

// Where a call may have its frame: below the red zone of the function that crashed; on a stack that
// is full in its upper half, whose frames nobody returns to.
greg_t free_place(const core::StackRange& stack, greg_t top, bool filled) {
  constexpr greg_t kRedZone = 128, kAlignment = 16;
  const char* middle = stack.begin + (stack.end - stack.begin) / 2;
  const greg_t from = filled ? reinterpret_cast<greg_t>(middle) : top - kRedZone;
  return (from & ~(kAlignment - 1)) - 8;  // leaves the stack as it stands behind a call
}

void on_signal(int signal, siginfo_t* info, void* data) {
  auto* context = static_cast<ucontext_t*>(data);
  auto& registers = context->uc_mcontext.gregs;
  const auto* pc = reinterpret_cast<const void*>(registers[REG_RIP]);
  // A signal that somebody sent, or a wild jump, has no line.
  const bool in_kernel = core::running_block().known && info->si_code > 0 && !is_ours(pc);
  if (!in_kernel) return hand_on(signal, info, data);
  const core::StackRange stack = core::running_stack();
  const bool filled =
      core::fills_running_stack(reinterpret_cast<const void*>(registers[REG_RSP]), info->si_addr);
  crash = {signal, pc, info->si_addr, filled ? static_cast<size_t>(stack.end - stack.begin) : 0};
  registers[REG_RSP] = free_place(stack, registers[REG_RSP], filled);
  registers[REG_RIP] = reinterpret_cast<greg_t>(&end_block);
}

}  // namespace

void watch_kernels() {
  static const bool installed = [] {
    struct sigaction action = {};
    action.sa_flags = SA_SIGINFO | SA_NODEFER | SA_ONSTACK;
    action.sa_sigaction = on_signal;
    ::sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < kSignals.size(); ++i) ::sigaction(kSignals[i], &action, &before[i]);
    return true;
  }();
  (void)installed;
}

}  // namespace opkit::acl
