// ReadAhead: what the kernel will probably read from GM next, fetched into the host's cache while
// the cube unit multiplies. Kernels walk over a matrix tile by tile, at a constant distance, and
// begin such walks at constant distances.
#ifndef OPKIT_CORE_FRACTALS_READ_AHEAD_H_
#define OPKIT_CORE_FRACTALS_READ_AHEAD_H_

#include <cstdint>

namespace opkit::core {

class ReadAhead {
 public:
  // A tile of `rows` rows of `bytes` bytes, `pitch` bytes apart, is read: now, or, when `later`,
  // by a LoadData. Tiles of other shapes may come between (those of the other matrix).
  void note(const uint8_t* tile, uint64_t bytes, uint64_t rows, uint64_t pitch, bool later) {
    const Shape shape{bytes, rows, pitch};
    Walk& walk = walks_[shape == walks_[0].shape ? 0 : 1];
    const auto address = reinterpret_cast<uintptr_t>(tile);
    const bool known = walk.shape == shape;
    if (known) {
      walk.go_to(address);
    } else {
      walk = Walk{shape, address, address, 0, 0, 1, 0};
    }
    shape_ = shape;
    targets_ = 0;
    if (bytes * rows <= kMostBytes) {
      if (known && walk.next() != address) add(walk.next());
      if (later) add(address);
    }
    // The walk that was noted last comes first, so that a new one takes the place of the older.
    if (&walk == &walks_[1]) {
      walks_[1] = walks_[0];
      walks_[0] = Walk(walk);
    }
  }
  // Fetches two lines.
  void step() {
    if (targets_ == 0) return;
    // Nobody may ever read these addresses; they are only fetched, never dereferenced.
    __builtin_prefetch(reinterpret_cast<const void*>(row_ + at_), 0, 2);
    __builtin_prefetch(reinterpret_cast<const void*>(row_ + at_ + kLine), 0, 2);
    at_ += 2 * kLine;
    if (at_ >= shape_.bytes) end_row();
  }
  void clear() { *this = {}; }

 private:
  static constexpr uint64_t kLine = 64, kMostBytes = 256 * 1024;
  struct Shape {
    uint64_t bytes = 0, rows = 0, pitch = 0;
    bool operator==(const Shape&) const = default;
  };
  struct Walk {
    Shape shape;
    uintptr_t tile = 0, begin = 0;
    uintptr_t step = 0, stride = 0;  // lead from tile to tile, from one walk's begin to the next
    uint64_t tiles = 0, length = 0;  // count the tiles of this walk so far, of the one before

    void go_to(uintptr_t to) {
      if (step == 0) step = to - tile;
      if (to - tile == step) {
        ++tiles;
      } else {
        length = tiles;
        tiles = 1;
        stride = to - begin;
        begin = to;
      }
      tile = to;
    }
    uintptr_t next() const { return tiles == length ? begin + stride : tile + step; }
  };

  // The target that was added last is fetched first.
  void add(uintptr_t tile) {
    target_[targets_++] = tile;
    start();
  }
  void start() {
    row_ = target_[targets_ - 1];
    at_ = 0;
    rows_left_ = shape_.rows;
  }
  void end_row() {
    at_ = 0;
    row_ += shape_.pitch;
    if (--rows_left_ != 0) return;
    if (--targets_ != 0) start();
  }

  Walk walks_[2];
  Shape shape_;  // tells how targets lie
  uintptr_t target_[2] = {};
  uint32_t targets_ = 0;
  uintptr_t row_ = 0;  // that is fetched
  uint64_t at_ = 0, rows_left_ = 0;
};

}  // namespace opkit::core

#endif  // OPKIT_CORE_FRACTALS_READ_AHEAD_H_
