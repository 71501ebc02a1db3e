// The outermost places of many, so that one question at the end tells whether all lie on the axis.
#ifndef AXIS_ELEMENTS_OUTERMOST_H_
#define AXIS_ELEMENTS_OUTERMOST_H_

#include "layout.h"
#include "wait_for.h"

class Outermost {
 public:
  __aicore__ inline void Init(AscendC::TPipe& pipe) {
    pipe.InitBuffer(lowest_, kLanes * sizeof(int32_t));
    pipe.InitBuffer(highest_, kLanes * sizeof(int32_t));
    AscendC::Duplicate(lowest_.Get<int32_t>(), 0, kLanes);
    AscendC::Duplicate(highest_.Get<int32_t>(), 0, kLanes);
  }

  __aicore__ inline void Note(const AscendC::LocalTensor<int32_t>& places, uint32_t elements) {
    const auto lowest = lowest_.Get<int32_t>(), highest = highest_.Get<int32_t>();
    const AscendC::BinaryRepeatParams into_one(1, 1, 1, 0, 0, kBlocksOfRepeat);
    for (uint32_t at = 0; at < elements;) {
      const uint32_t left = elements - at;
      const uint32_t lanes = layout::Least(left, kLanes);
      const auto repeats = static_cast<uint8_t>(layout::Least(left / lanes, kMostRepeats));
      AscendC::Min(lowest, lowest, places[at], lanes, repeats, into_one);
      AscendC::Max(highest, highest, places[at], lanes, repeats, into_one);
      at += repeats * lanes;
    }
  }

  // Tells whether a noted place lies outside of an axis of so many. Asked once. A value that
  // nothing computed, a NaN, lies inside, so that a launch without data goes one way.
  __aicore__ inline bool Leaves(uint64_t axis) {
    const auto lowest = lowest_.Get<int32_t>(), highest = highest_.Get<int32_t>();
    const auto margins = lowest_.Get<float>(), least = highest_.Get<float>();
    AscendC::Muls(highest, highest, -1, kLanes);
    AscendC::Adds(highest, highest, static_cast<int32_t>(axis) - 1, kLanes);
    AscendC::Min(lowest, lowest, highest, kLanes);
    AscendC::Cast(margins, lowest, AscendC::RoundMode::CAST_RINT, kLanes);
    AscendC::WholeReduceMin(least, margins, kLanes, 1, 1, 1, kBlocksOfRepeat,
                            AscendC::ReduceOrder::ORDER_ONLY_VALUE);
    WaitFor<AscendC::HardEvent::V_S>();
    return least.GetValue(0) < 0.0f;
  }

 private:
  static constexpr uint32_t kLanes = 64, kMostRepeats = 255;  // limit an instruction on 32 bits
  static constexpr uint8_t kBlocksOfRepeat = 8;

  AscendC::TBuf<AscendC::TPosition::VECCALC> lowest_, highest_;
};

#endif  // AXIS_ELEMENTS_OUTERMOST_H_
