// Incident: the page that a worker writes when something ends it. The host reads it as hostile.
#ifndef OPKIT_ISOLATION_INCIDENT_H_
#define OPKIT_ISOLATION_INCIDENT_H_

#include <atomic>
#include <cstdint>
#include <string_view>

namespace opkit::isolation {

// What the plugin's code was doing.
enum class Phase : uint32_t {
  kStarting,
  kLoading,  // static initialisers
  kQuery,
  kInferShape,
  kInferDtype,
  kTiling,
  kKernel,
  kUnloading,  // static destructors
  kBetween,    // none of them: no code of the plugin, but for threads of its own
  kCount
};
// "the tiling function".
std::string_view name_of(Phase phase);

enum class FaultAccess : uint32_t { kUnknown, kRead, kWrite, kExecute };

// What ended the process in the plugin's place.
enum class Want : uint32_t {
  kNothing,
  kMemory,   // an allocation failed, and a modest one does, too
  kThreads,  // a thread could not be started, nor can another one
  kOutside   // another process sent the signal
};

struct Incident {
  std::atomic<uint32_t> phase{0};
  std::atomic<uint32_t> written{0};  // 1 when every other field is written
  int32_t signal = 0, code = 0;
  uint64_t address = 0;  // is the address of the fault
  uint32_t access = 0;
  uint32_t in_block = 0;  // block and sub_block mean something
  uint32_t block = 0;
  int32_t sub_block = -1;
  uint32_t want = 0;
  uint32_t full_stack = 0;  // bytes of the block's stack, which was not enough; 0: another end
  uint64_t offset = 0;      // tells where the author's instruction lies in the plugin; 0: not known
  char exception[512] = {};
};
static_assert(sizeof(Incident) <= 4096);

}  // namespace opkit::isolation

#endif  // OPKIT_ISOLATION_INCIDENT_H_
