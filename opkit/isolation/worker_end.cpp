#include "opkit/isolation/worker_end.h"

#include <fmt/format.h>
#include <signal.h>

#include <cstring>

#include "opkit/base/process/host_limits.h"
#include "opkit/isolation/worker_want.h"

namespace opkit::isolation {
namespace {

constexpr uint64_t kNearNull = 64 << 10;
constexpr int kTrapped = 1;      // SYS_SECCOMP
constexpr size_t kQuoted = 200;  // bytes of what the plugin printed

std::string_view verb_of(FaultAccess access) {
  switch (access) {
    case FaultAccess::kRead: return "it read";
    case FaultAccess::kWrite: return "it wrote";
    case FaultAccess::kExecute: return "it jumped to";
    default: return "it touched";
  }
}

// "3 bytes behind the end of output 'z' (of 400 bytes)", if the address is in or near the slot.
std::optional<std::string> relation(uint64_t address, uint64_t arena, const Slot& slot,
                                    const std::string& name) {
  if (slot.at == kNowhere || arena == 0) return std::nullopt;
  const uint64_t first = arena + slot.pages_at - kPage;
  const uint64_t last = arena + slot.pages_at + slot.pages_bytes + kPage;
  if (address < first || address >= last) return std::nullopt;
  const uint64_t begin = arena + slot.at, end = begin + slot.bytes;
  if (address < begin)
    return fmt::format("{} bytes in front of {} (of {} bytes)", begin - address, name, slot.bytes);
  if (address < end)
    return fmt::format("byte {} of {}, which may only be read", address - begin, name);
  return fmt::format("{} bytes behind the end of {} (of {} bytes)", address - end, name,
                     slot.bytes);
}

std::optional<std::string> near_buffer(const WorkerEnd& end, const CallInFlight& call) {
  if (!call.plan || !call.at) return std::nullopt;
  const auto look = [&](const std::vector<std::vector<Slot>>& ports,
                        bool output) -> std::optional<std::string> {
    const auto& declared = output ? call.plan->contract->outputs : call.plan->contract->inputs;
    for (size_t p = 0; p < ports.size() && p < declared.size(); ++p) {
      for (size_t t = 0; t < ports[p].size(); ++t) {
        if (auto told =
                relation(end.address, ports[p][t].writable ? call.outputs_at : call.inputs_at,
                         ports[p][t], buffer_name(declared[p], output, t)))
          return told;
      }
    }
    return std::nullopt;
  };
  if (auto told = look(call.at->inputs, false)) return told;
  if (auto told = look(call.at->outputs, true)) return told;
  return relation(end.address, call.inputs_at, call.at->tiling, "the tiling data");
}

// A fault that the processor told of, not a signal that somebody raised.
bool of_memory(const WorkerEnd& end) {
  return end.described && (end.signal == SIGSEGV || end.signal == SIGBUS) && end.code > 0;
}

std::string fault_text(const WorkerEnd& end) {
  if (!of_memory(end)) return {};
  // si_code 128: the processor does not say which address.
  if (end.address == 0 && end.code == SI_KERNEL) return ": it used an address that cannot exist";
  const char* null = end.address < kNearNull ? ", a null pointer" : "";
  return fmt::format(": {} address {:#x}{}", verb_of(end.access), end.address, null);
}

Error crashed(const WorkerEnd& end, const CallInFlight& call, const std::string& who) {
  if (!end.exception.empty())
    return Error("OPK-WORKER-007",
                 fmt::format("{} threw {}, and nobody caught it", who, end.exception),
                 "return an error code, or catch the exception where it is thrown");
  if (of_memory(end)) {
    if (const auto told = near_buffer(end, call))
      return Error("OPK-WORKER-005",
                   fmt::format("{} left its memory: {} {}", who, verb_of(end.access), *told),
                   "correct the index or the length of the access");
  }
  if (of_memory(end) && end.full_stack != 0)
    return Error("OPK-WORKER-002",
                 fmt::format("{} died with {}: it needs more than {} bytes of stack; a core of the "
                             "chip has 32768",
                             who, signal_name(end.signal), end.full_stack),
                 "look for a function that calls itself, and for arrays whose length is known at "
                 "run time only: large ones belong in UB");
  // The one call that is trapped; see confinement.cpp.
  if (end.signal == SIGSYS && end.code == kTrapped)
    return Error("OPK-WORKER-002", fmt::format("{} killed its own process (SIGKILL)", who),
                 "return an error code in place of ending the process");
  const char* meaning = ::sigdescr_np(end.signal);
  return Error("OPK-WORKER-002",
               fmt::format("{} died with {} ({}){}", who, signal_name(end.signal),
                           meaning ? meaning : "unknown", fault_text(end)),
               end.signal == SIGFPE ? "look for a division by zero"
                                    : "look for a wrong pointer, index or length");
}

Error cannot_answer() {
  return Error("OPK-WORKER-003",
               "the plugin closed the descriptors of its process, which could not answer any more",
               "close only what the plugin opened");
}

// Before it ran a byte of the plugin. The page's word is taken only until the plugin answered once.
bool never_began(const WorkerEnd& end, const CallInFlight& call) {
  return call.opening && end.phase == Phase::kStarting;
}

std::string ended_how(const WorkerEnd& end) {
  switch (end.cause) {
    case WorkerEnd::Cause::kSignal: return fmt::format("died with {}", signal_name(end.signal));
    case WorkerEnd::Cause::kExit: return fmt::format("ended with code {}", end.exit_code);
    case WorkerEnd::Cause::kClosed: return "closed its socket";
    case WorkerEnd::Cause::kTime:
      return fmt::format("gave no answer within {} ms", end.limit.count());
    case WorkerEnd::Cause::kOutput: return "printed without end";
    case WorkerEnd::Cause::kMemory: return "took more memory than is allowed";
    case WorkerEnd::Cause::kNonsense: break;
  }
  return "sent what is no answer";
}

// Its host has too few descriptors or too little memory, or the program is no worker at all.
Error no_start(const WorkerEnd& end) {
  constexpr int kLacksMemory = 2, kNotLoaded = 127;  // are exit codes of serve(), of the loader
  const bool exits = end.cause == WorkerEnd::Cause::kExit;
  std::string action = "install opkit again, or let OPKIT_WORKER name its opkit-worker";
  if (end.cause == WorkerEnd::Cause::kSignal || (exits && end.exit_code == kNotLoaded))
    action += "; it may lack memory: " + limits_of(Scarce::kMemory);
  if (exits && end.exit_code == kLacksMemory)
    action = fmt::format("raise the limits of open files and of memory: {}, {}",
                         limits_of(Scarce::kDescriptors), limits_of(Scarce::kMemory));
  if (end.cause == WorkerEnd::Cause::kTime) action = "give it more time with --time-limit";
  return Error(
      "OPK-WORKER-001",
      fmt::format("the worker {} {} before it loaded the plugin", end.program, ended_how(end)),
      action);
}

Error how_it_ended(const WorkerEnd& end, const CallInFlight& call) {
  if (never_began(end, call)) return no_start(end);
  const std::string who(name_of(end.phase));
  if (std::optional<Error> wanted = wanting(end, who)) return *std::move(wanted);
  switch (end.cause) {
    case WorkerEnd::Cause::kSignal: return crashed(end, call, who);
    case WorkerEnd::Cause::kExit:
      if (end.phase == Phase::kBetween) return cannot_answer();
      return Error(
          "OPK-WORKER-003",
          fmt::format("{} ended the process with code {} and gave no answer", who, end.exit_code),
          "return from the function in place of exit()");
    case WorkerEnd::Cause::kClosed: return cannot_answer();
    case WorkerEnd::Cause::kTime:
      return Error("OPK-WORKER-004",
                   fmt::format("{} gave no answer within {} ms", who, end.limit.count()),
                   "look for an endless loop, or give it more time with --time-limit");
    case WorkerEnd::Cause::kOutput:
      return Error("OPK-WORKER-008", fmt::format("{} printed without end", who), "print less");
    case WorkerEnd::Cause::kMemory:
      return Error("OPK-WORKER-009",
                   fmt::format("{} took more memory than is allowed: {} bytes{}", who, end.allowed,
                               end.allowed_said.empty() ? "" : ", " + end.allowed_said),
                   "look for a leak or a wrong size");
    case WorkerEnd::Cause::kNonsense: break;
  }
  return Error("OPK-WORKER-006",
               fmt::format("{} was running, and what came from its process is no "
                           "answer",
                           who),
               "the plugin damaged its worker; look for writes outside its own memory");
}

std::string block_text(const WorkerEnd& end) {
  if (!end.in_block) return {};
  return fmt::format("block {}{}", end.block,
                     end.sub_block >= 0 ? fmt::format(", vector core {}", end.sub_block) : "");
}

// Printable, and the end of it.
std::string quoted(const std::string& printed) {
  std::string text = printed.size() > kQuoted ? printed.substr(printed.size() - kQuoted) : printed;
  while (!text.empty() && static_cast<unsigned char>(text.back()) <= ' ') text.pop_back();
  for (char& c : text)
    if (static_cast<unsigned char>(c) < 0x20 || static_cast<unsigned char>(c) >= 0x7f) c = ' ';
  return text;
}

}  // namespace

std::string buffer_name(const Port& port, bool output, size_t tensor) {
  const std::string name = fmt::format("{} '{}'", output ? "output" : "input", port.name);
  return port.presence == Presence::kDynamic ? fmt::format("{} (tensor {})", name, tensor) : name;
}

Error error_of(const WorkerEnd& end, const CallInFlight& call,
               const std::optional<debug::SourceLine>& line) {
  Error error = how_it_ended(end, call).of(call.op);
  std::string where;
  if (line) where = debug::short_text(*line);
  const std::string block = block_text(end);
  if (!block.empty()) where += (where.empty() ? "" : ", ") + block;
  if (!where.empty()) error.trail.push_back(where);
  if (const std::string text = quoted(end.printed); !text.empty())
    error.trail.push_back("it printed: " + text);
  return error;
}

}  // namespace opkit::isolation
