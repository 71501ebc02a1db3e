// What cores issued, in a form that can be replayed: one event per instruction or synchronisation.
#ifndef OPKIT_CORE_MODES_TIMED_RECORDING_H_
#define OPKIT_CORE_MODES_TIMED_RECORDING_H_

#include <cstdint>
#include <vector>

#include "opkit/core/modes/timed.h"

namespace opkit::core::timed {

constexpr uint8_t kScalar = 0, kVector = 1, kCube = 2, kMte1 = 3, kMte2 = 4, kMte3 = 5, kFix = 6;

enum class EventType : uint8_t {
  kRun,         // value = cycles, extra = cycles more after an idle pipe
  kTransfer,    // value = index of the transfer in the recording
  kSet,         // value = signal
  kWait,        // value = signal, from = pipe that sets it
  kBarrier,     // value = cycles
  kBarrierAll,  // S waits for every pipe
  kGateWait,    // value = gate, extra = cycles after its last signal
  kPost         // the block's cube core may do what is served up to (not with) event `value`
};

struct RecordedEvent {
  EventType type;
  uint8_t pipe;
  uint8_t from;   // kWait
  uint8_t issue;  // cycles of S
  uint32_t site;
  uint32_t value;
  uint32_t extra;
};

// A copy between GM and a core: rows of equal length.
struct Transfer {
  uint64_t address;  // is numbered within the launch's GM, alike on every run
  int64_t pitch;     // bytes, row to row
  uint32_t row_bytes, rows;
  uint32_t row_eighths;  // least eighths of a cycle per row, when there are several
  uint32_t most_rate;    // bytes per cycle that the instruction can reach, 0 = not limited
  bool write, uncached;
};

struct RecordedSite {
  const void* pc;
  const char* name;
};

// Signals that a waiter needs, numbered over the whole launch.
using Gate = std::vector<uint32_t>;

struct CoreRecord {
  CoreTimes times;  // block, kind, traffic that needs no clock
  std::vector<RecordedEvent> events;
  // What the cube core of the block does for this vector core, in parts that kPost hands over.
  std::vector<RecordedEvent> served;
  Traffic served_traffic;
  uint32_t posts = 0;

  // Starts over and keeps the memory.
  void clear() {
    times = {};
    events.clear();
    served.clear();
    served_traffic = {};
    posts = 0;
  }
};

struct Recording {
  std::vector<CoreRecord> cores;  // lanes of a block stand together, blocks in order of their start
  std::vector<Transfer> transfers;
  std::vector<Gate> gates;
  std::vector<RecordedSite> sites;
  uint32_t signals = 0;

  // Starts over and keeps the memory; cores are the owner's affair.
  void clear() {
    cores.clear();
    transfers.clear();
    gates.clear();
    sites.clear();
    signals = 0;
  }
};

}  // namespace opkit::core::timed

#endif  // OPKIT_CORE_MODES_TIMED_RECORDING_H_
