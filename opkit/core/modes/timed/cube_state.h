// What the Matmul objects of a core have in L1 and L0: which parts of their operands are there, and
// which signal says that a buffer is free again.
#ifndef OPKIT_CORE_MODES_TIMED_CUBE_STATE_H_
#define OPKIT_CORE_MODES_TIMED_CUBE_STATE_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace opkit::core::timed {

// Signals are counted from 1 here; 0 = there is nothing to wait for.
struct CubeBuffer {
  uint64_t holds = 0;  // which part of the operand, 0 = none
  uint32_t freed = 0;
};

// Buffers that are filled one after the other, the oldest first.
class BufferRing {
 public:
  void resize(size_t count) {
    if (buffers_.size() != count) buffers_.assign(count, {});
    if (next_ >= count) next_ = 0;
  }
  void empty() {
    for (CubeBuffer& buffer : buffers_) buffer.holds = 0;
  }
  // nullptr: it is in none of them.
  CubeBuffer* find(uint64_t what) {
    for (CubeBuffer& buffer : buffers_) {
      if (buffer.holds == what) return &buffer;
    }
    return nullptr;
  }
  CubeBuffer& next() {
    CubeBuffer& buffer = buffers_[next_];
    next_ = (next_ + 1) % buffers_.size();
    return buffer;
  }

 private:
  std::vector<CubeBuffer> buffers_;
  size_t next_ = 0;
};

struct MatmulObject {
  uint64_t owner = 0;
  BufferRing a1, b1;
  int c = -1;             // buffer of L0C with the last block
  uint32_t computed = 0;  // signal of its last Mmad
};

struct CubeState {
  std::vector<MatmulObject> objects;
  std::array<CubeBuffer, 2> l0a, l0b, l0c;
  uint32_t next_a = 0, next_b = 0, next_c = 0;
  uint32_t last = 0;  // signal of the last thing done
  size_t posted = 0;  // events that were handed over to the cube core

  MatmulObject& of(uint64_t owner) {
    for (MatmulObject& object : objects) {
      if (object.owner == owner) return object;
    }
    objects.emplace_back().owner = owner;
    return objects.back();
  }
};

}  // namespace opkit::core::timed

#endif  // OPKIT_CORE_MODES_TIMED_CUBE_STATE_H_
