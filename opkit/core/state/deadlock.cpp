// What is said of a core that waits for something that nobody will give.
#include <string>
#include <vector>

#include "opkit/core/state/launch.h"

namespace opkit::core {
namespace {

constexpr size_t kMostNamed = 4;

// "block 0 cube core, block 1 cube core and 3 more".
std::string list_of(const Launch& launch, const std::vector<uint32_t>& seats) {
  std::string text;
  for (size_t i = 0; i < seats.size() && i < kMostNamed; ++i)
    text += (i ? ", " : "") + launch.core_name(seats[i]);
  if (seats.size() > kMostNamed)
    text += " and " + std::to_string(seats.size() - kMostNamed) + " more";
  return text;
}

const char* have(const std::vector<uint32_t>& seats) {
  return seats.size() == 1 ? " has" : " have";
}

const char* instruction_of(const Wait& wait) {
  switch (wait.kind) {
    case Wait::Kind::kCrossFlag: return "CrossCoreWaitFlag";
    case Wait::Kind::kSyncAll: return "SyncAll";
    default: return "IBWait";
  }
}

std::string reason_of(const Wait& wait) {
  switch (wait.kind) {
    case Wait::Kind::kCrossFlag: return "waits for cross-core flag " + std::to_string(wait.id);
    case Wait::Kind::kSyncAll:
      return wait.meeting == Meeting::kAll ? "waits in SyncAll<false>" : "waits in SyncAll";
    case Wait::Kind::kGmWord: return "waits for a GM word to reach " + std::to_string(wait.value);
    case Wait::Kind::kTurn:
    case Wait::Kind::kNone: break;
  }
  return "waits";
}

// The sets that would raise the flag for a core if others joined them.
struct HalfSet {
  std::string mode;
  std::vector<uint32_t> set, missing;  // seats
  const void* pc = nullptr;            // is the place of a set
};

HalfSet half_set_of(const CrossReports<SetPlace>& reports, const WaitingCore& blocked) {
  HalfSet half;
  reports.for_each_member(blocked.core, blocked.wait.id,
                          [&](uint32_t mode, uint32_t seat, const SetPlace* report) {
                            half.mode = std::to_string(mode);
                            (report ? half.set : half.missing).push_back(seat);
                            if (report && !half.pc) half.pc = report->pc;
                          });
  return half;
}

std::string flag_history(uint32_t taken) {
  if (taken == 0) return ": no core has set it for this one";
  return ": it rose " + std::to_string(taken) + (taken == 1 ? " time" : " times") +
         " for this core, and this is wait " + std::to_string(taken + 1);
}

}  // namespace

Fault Launch::deadlock_of(const WaitingCore& blocked) const {
  const CoreId& core = blocked.core;
  const Wait& wait = blocked.wait;
  Fault fault;
  fault.code = "EK1501";
  fault.instruction = instruction_of(wait);
  fault.message =
      "deadlock: " + core_name(core.seat()) + " " + reason_of(wait) + ", which nobody will give";
  fault.action = "let every core that takes part reach the matching set, or remove the wait";
  fault.block = core.block;
  fault.sub_block = core.lane;
  fault.pc = wait.pc;
  if (wait.kind == Wait::Kind::kSyncAll) {
    const auto missing = meetings_.missing(wait.meeting);
    fault.message += ": " + list_of(*this, missing) + have(missing) + " not come to it";
    fault.action = "let every core that takes part call SyncAll equally often";
  }
  if (wait.kind != Wait::Kind::kCrossFlag) return fault;
  const HalfSet half = half_set_of(reports_, blocked);
  if (half.set.empty()) return fault.message += flag_history(blocked.flags_taken), fault;
  fault.message += ": " + list_of(*this, half.missing) + have(half.missing) + " not set it (mode " +
                   half.mode + "), " + list_of(*this, half.set) + have(half.set);
  fault.other_pc = half.pc;
  return fault;
}

}  // namespace opkit::core
