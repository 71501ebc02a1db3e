// Random bits as a function of (seed, stream, index): the same on every machine, in every order and
// for every number of threads. SplitMix64's finaliser over a Weyl sequence.
#ifndef OPKIT_VERIFY_DATA_RANDOM_H_
#define OPKIT_VERIFY_DATA_RANDOM_H_

#include <cstdint>

namespace opkit::verify {

constexpr uint64_t mixed(uint64_t x) {
  x ^= x >> 30;
  x *= 0xbf58476d1ce4e5b9u;
  x ^= x >> 27;
  x *= 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

class Random {
 public:
  Random(uint64_t seed, uint64_t stream) : key_(mixed(seed + 0x9e3779b97f4a7c15u * (stream + 1))) {}

  uint64_t bits(uint64_t index) const { return mixed(key_ + 0x9e3779b97f4a7c15u * (index + 1)); }
  // In [0, 1).
  double unit(uint64_t index) const { return static_cast<double>(bits(index) >> 11) * 0x1p-53; }
  // In [lo, hi], both included. REQUIRES: lo <= hi.
  int64_t whole(uint64_t index, int64_t lo, int64_t hi) const {
    const uint64_t span = static_cast<uint64_t>(hi) - static_cast<uint64_t>(lo) + 1;
    return static_cast<int64_t>(static_cast<uint64_t>(lo) +
                                (span == 0 ? bits(index) : bits(index) % span));
  }

 private:
  uint64_t key_;
};

// A sequence for code that draws one number after the other.
class Draws {
 public:
  Draws(uint64_t seed, uint64_t stream) : random_(seed, stream) {}
  double unit() { return random_.unit(next_++); }
  int64_t whole(int64_t lo, int64_t hi) { return random_.whole(next_++, lo, hi); }
  bool chance(double probability) { return unit() < probability; }
  uint64_t bits() { return random_.bits(next_++); }
  template <typename List>
  auto& pick(List& list) {
    return list[static_cast<size_t>(whole(0, static_cast<int64_t>(list.size()) - 1))];
  }

 private:
  Random random_;
  uint64_t next_ = 0;
};

}  // namespace opkit::verify

#endif  // OPKIT_VERIFY_DATA_RANDOM_H_
