// Which places of x a place of y comes from, along one dim: exact fractions.
#ifndef RESIZE_AXIS_H_
#define RESIZE_AXIS_H_

#include "kernel_operator.h"
#include "resize_tiling.h"

struct Source {
  uint32_t first, second;
  float of_first, of_second;  // weights
};

class Axis {
 public:
  __aicore__ inline explicit Axis(const ResizeAxis& axis) : axis_(axis) {}

  // Returns the nearest element, and the lower neighbour otherwise.
  __aicore__ inline uint32_t First(uint32_t at) const { return Inside(Below(at)); }
  __aicore__ inline uint32_t Second(uint32_t at) const { return Inside(Below(at) + 1); }

  // Each weight is rounded on its own: a difference to 1 would lose the digits of a small one.
  __aicore__ inline Source Both(uint32_t at) const {
    const int64_t below = Below(at);
    const int64_t rest = Numerator(at) - below * axis_.divisor;
    const float divisor = Number(axis_.divisor);
    return {Inside(below), Inside(below + 1), Number(axis_.divisor - rest) / divisor,
            Number(rest) / divisor};
  }

  // Where a place lies: behind element `below`, by `rest` of the divisor. Beyond the ends of x lie
  // its neighbours -1 and `in` - 1.
  struct Fraction {
    int32_t below, rest;
  };
  __aicore__ inline Fraction At(uint32_t at) const {
    const int64_t below = Below(at), rest = Numerator(at) - below * axis_.divisor;
    const int64_t near = below < -1 ? -1 : below < axis_.in ? below : axis_.in - 1;
    return {static_cast<int32_t>(near), static_cast<int32_t>(rest)};
  }
  __aicore__ inline int32_t Divisor() const { return static_cast<int32_t>(axis_.divisor); }
  __aicore__ inline int32_t Last() const { return static_cast<int32_t>(axis_.in - 1); }

  // An axis that is not scaled has no neighbours.
  __aicore__ inline bool Blends() const { return axis_.in != axis_.out; }

 private:
  __aicore__ inline int64_t Numerator(uint32_t at) const {
    return static_cast<int64_t>(at) * axis_.step + axis_.offset;
  }
  __aicore__ inline int64_t Below(uint32_t at) const {
    const int64_t numerator = Numerator(at), quotient = numerator / axis_.divisor;
    return quotient * axis_.divisor > numerator ? quotient - 1 : quotient;
  }
  __aicore__ inline uint32_t Inside(int64_t place) const {
    return static_cast<uint32_t>(place < 0 ? 0 : place < axis_.in ? place : axis_.in - 1);
  }
  __aicore__ static inline float Number(int64_t n) {
    return static_cast<float>(static_cast<int32_t>(n));
  }

  const ResizeAxis& axis_;
};

#endif  // RESIZE_AXIS_H_
