// Planes as lanes: 16 planes that lie one behind the other become pixels of 16 numbers side by
// side, and back. What lies beside a pixel in its plane is then so many blocks away.
#ifndef OPS_SHARED_PLANE_LANES_H_
#define OPS_SHARED_PLANE_LANES_H_

#include "kernel_operator.h"

namespace window {

using namespace AscendC;

constexpr uint32_t kLanes = 16;
constexpr uint32_t kMostTurns = 255;  // repeats of a call

// T: of 2 or 4 bytes.
template <typename T>
class PlaneLanes {
 public:
  // Turns `count` elements, whole blocks, of each plane; planes are `pitch` elements apart. The
  // last of `given` planes stands for those that are not there.
  __aicore__ static inline void ToPixels(const LocalTensor<T>& pixels, const LocalTensor<T>& planes,
                                         uint32_t given, uint32_t pitch, uint32_t count) {
    LocalTensor<T> to[kLanes], from[kLanes];
    EveryCall(count / kBlock, [&](uint32_t done, uint8_t repeats) {
      for (uint32_t i = 0; i < kLanes; ++i) {
        from[i] = planes[(i < given ? i : given - 1) * pitch + done * kBlock];
        to[i] = pixels[(done * kLanes + i) * kBlock];
      }
      Turn(to, from, repeats, kLanes, 1);
    });
  }

  // Turns `count` pixels, in whole sixteens, into elements of each plane.
  __aicore__ static inline void ToPlanes(const LocalTensor<T>& planes, const LocalTensor<T>& pixels,
                                         uint32_t pitch, uint32_t count) {
    LocalTensor<T> to[kLanes], from[kLanes];
    EveryCall(count / kLanes, [&](uint32_t done, uint8_t repeats) {
      for (uint32_t part = 0; part < kParts; ++part) {
        for (uint32_t i = 0; i < kLanes; ++i) {
          from[i] = pixels[(done * kLanes + i) * kLanes + part * kBlock];
          to[i] =
              planes[(part * kBlock + i / kParts) * pitch + done * kLanes + i % kParts * kBlock];
        }
        Turn(to, from, repeats, kParts, kLanes * kParts);
      }
    });
  }

 private:
  static constexpr uint32_t kBlock = 32 / sizeof(T);
  static constexpr uint32_t kParts = kLanes / kBlock;  // blocks of a pixel

  template <typename Call>
  __aicore__ static inline void EveryCall(uint32_t steps, const Call& call) {
    for (uint32_t done = 0; done < steps; done += kMostTurns)
      call(done, static_cast<uint8_t>(steps - done < kMostTurns ? steps - done : kMostTurns));
  }

  // Strides of one repeat are none: page "TransDataTo5HD".
  __aicore__ static inline void Turn(LocalTensor<T> (&to)[kLanes], LocalTensor<T> (&from)[kLanes],
                                     uint8_t repeats, uint32_t to_stride, uint32_t from_stride) {
    TransDataTo5HDParams params;
    params.repeatTimes = repeats;
    params.dstRepStride = repeats > 1 ? static_cast<uint16_t>(to_stride) : 0;
    params.srcRepStride = repeats > 1 ? static_cast<uint16_t>(from_stride) : 0;
    TransDataTo5HD<T>(to, from, params);
  }
};

}  // namespace window

#endif  // OPS_SHARED_PLANE_LANES_H_
