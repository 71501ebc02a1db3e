// What most kernels of the corpus work on: tensors at fixed places, so that no queue orders
// anything.
#ifndef OPKIT_TESTS_FAULTS_STATIC_TENSORS_H_
#define OPKIT_TESTS_FAULTS_STATIC_TENSORS_H_

#include "faulty.h"

namespace faults {

constexpr uint32_t kTile = 256, kTiles = 8;

// The second pipe of the event waits for the first.
template <AscendC::HardEvent event>
__aicore__ inline void order(int32_t id = 0) {
  AscendC::SetFlag<event>(id);
  AscendC::WaitFlag<event>(id);
}

struct Tensors {
  using Local = AscendC::LocalTensor<float>;
  using Position = AscendC::TPosition;
  Local x{Position::VECIN, 0, 2 * kTile}, y{Position::VECIN, 8192, kTile},
      z{Position::VECOUT, 16384, kTile};
  AscendC::GlobalTensor<float> gx, gy, gz, gw;

  __aicore__ inline Tensors(GM_ADDR xp, GM_ADDR yp, GM_ADDR zp, GM_ADDR wp) {
    gx.SetGlobalBuffer((__gm__ float*)xp, kElements);
    gy.SetGlobalBuffer((__gm__ float*)yp, kElements);
    gz.SetGlobalBuffer((__gm__ float*)zp, kElements);
    gw.SetGlobalBuffer((__gm__ float*)wp, kElements * 4);
  }

  // The first elements of z, to the output.
  __aicore__ inline void store(uint32_t count) {
    order<AscendC::HardEvent::V_MTE3>(1);
    DataCopy(gz, z, count);
  }
};

}  // namespace faults

#endif  // OPKIT_TESTS_FAULTS_STATIC_TENSORS_H_
