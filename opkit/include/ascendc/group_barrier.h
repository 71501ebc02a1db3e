// Groups of vector cores that wait for each other, the message area of groups of cube cores, and
// functions for one kind of core. (Pages "GroupBarrier", "KfcWorkspace", "Async".)
#ifndef OPKIT_INCLUDE_ASCENDC_GROUP_BARRIER_H_
#define OPKIT_INCLUDE_ASCENDC_GROUP_BARRIER_H_

#include "opkit/include/ascendc/sync.h"

namespace AscendC {

enum class PipeMode : uint8_t { SCALAR_MODE = 0, MTE3_MODE = 1, MAX };

// The waiting group goes on when all of the arriving group have come as often as it has waited.
// groupWorkspace: zeroed, 512 bytes per waiting core. Every arriving core has a word of its own in
// each of them.
template <PipeMode pipeMode>
class GroupBarrier {
  static_assert(pipeMode == PipeMode::MTE3_MODE, "GroupBarrier: only MTE3_MODE exists");

 public:
  GroupBarrier(GM_ADDR groupWorkspace, uint32_t arriveSizeIn, uint32_t waitSizeIn)
      : words_(reinterpret_cast<int32_t*>(groupWorkspace)),
        arriving_(arriveSizeIn),
        waiting_(waitSizeIn) {
    require(arriveSizeIn <= kWords,
            "GroupBarrier: more than 128 arriving cores; make the group smaller");
    require(reinterpret_cast<uint64_t>(groupWorkspace) % kBytes == 0,
            "GroupBarrier: the workspace does not start at a multiple of 512 bytes; align it");
  }

  OPKIT_INLINE void Arrive(uint32_t arriveIndex) {
    require(arriveIndex < arriving_, "GroupBarrier::Arrive: the index is not below arriveSize");
    ++rounds_arrived_;
    for (uint32_t w = 0; w < waiting_; ++w)
      detail::core()->isa->gm_word(detail::core(), OPK_SYNC_SET, word(w, arriveIndex),
                                   rounds_arrived_);
  }
  OPKIT_INLINE void Wait(uint32_t waitIndex) {
    require(waitIndex < waiting_, "GroupBarrier::Wait: the index is not below waitSize");
    ++rounds_waited_;
    for (uint32_t a = 0; a < arriving_; ++a) detail::wait_word(word(waitIndex, a), rounds_waited_);
  }
  uint64_t GetWorkspaceLen() { return uint64_t{waiting_} * kBytes; }

 private:
  static constexpr uint32_t kBytes = 512, kWords = kBytes / 4;

  OPKIT_INLINE static void require(bool holds, const char* sentence) {
    if (__builtin_expect(!holds, 0)) detail::fault("EK1504", sentence);
  }
  int32_t* word(uint32_t waiting, uint32_t arriving) const {
    return words_ + uint64_t{waiting} * kWords + arriving;
  }

  int32_t* words_;
  uint32_t arriving_, waiting_;
  int32_t rounds_arrived_ = 0, rounds_waited_ = 0;
};

// The message area of CubeResGroupHandle, cut by the author.
class KfcWorkspace {
 public:
  explicit KfcWorkspace(GM_ADDR workspace) : workspace_(workspace) {}
  GM_ADDR GetKfcWorkspace() { return workspace_; }
  void UpdateKfcWorkspace(uint32_t offset) { workspace_ += offset; }

 private:
  GM_ADDR workspace_;
};

enum class EngineType : int32_t { AIC = 1, AIV = 2 };

// Calls funPtr on cores of one kind.
template <EngineType engine, auto funPtr, class... Args>
void Async(Args... args) {
  if constexpr (engine == EngineType::AIC) {
    if ASCEND_IS_AIC {
      funPtr(args...);
    }
  } else {
    if ASCEND_IS_AIV {
      funPtr(args...);
    }
  }
}

}  // namespace AscendC

#endif  // OPKIT_INCLUDE_ASCENDC_GROUP_BARRIER_H_
