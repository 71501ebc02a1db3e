// ReadAhead: what the kernel will probably read from GM next, fetched into the host's cache while
// the cube unit multiplies. Kernels walk over a matrix tile by tile, at a constant distance.
#ifndef OPKIT_CORE_READ_AHEAD_H_
#define OPKIT_CORE_READ_AHEAD_H_

#include <cstdint>

namespace opkit::core {

class ReadAhead {
 public:
  // A tile of `rows` rows of `bytes` bytes, `pitch` bytes apart, was read. Tiles of other shapes
  // may come between (those of the other matrix).
  void note(const uint8_t* tile, uint64_t bytes, uint64_t rows, uint64_t pitch) {
    const Walk now{reinterpret_cast<uintptr_t>(tile), bytes, rows, pitch};
    Walk& walk = walks_[now.has_shape_of(walks_[0]) ? 0 : 1];
    // Nobody may ever read these addresses; they are only fetched, never dereferenced.
    const bool goes_on = now.has_shape_of(walk) && bytes * rows <= kMostBytes;
    next_ = now.tile + (now.tile - walk.tile);
    left_ = goes_on && now.tile != walk.tile ? rows : 0;
    bytes_ = bytes;
    pitch_ = pitch;
    // The walk that was noted last comes first, so that a new one takes the place of the older.
    if (&walk == &walks_[1]) walks_[1] = walks_[0];
    walks_[0] = now;
  }
  // Fetches a row.
  void step() {
    if (left_ == 0) return;
    --left_;
    for (uint64_t i = 0; i < bytes_; i += kLine)
      __builtin_prefetch(reinterpret_cast<const void*>(next_ + i), 0, 2);
    next_ += pitch_;
  }
  void clear() { *this = {}; }

 private:
  static constexpr uint64_t kLine = 64, kMostBytes = 256 * 1024;
  struct Walk {
    uintptr_t tile = 0;
    uint64_t bytes = 0, rows = 0, pitch = 0;
    bool has_shape_of(const Walk& o) const {
      return bytes == o.bytes && rows == o.rows && pitch == o.pitch;
    }
  };
  Walk walks_[2];
  uintptr_t next_ = 0;
  uint64_t left_ = 0, bytes_ = 0, pitch_ = 0;
};

}  // namespace opkit::core

#endif  // OPKIT_CORE_READ_AHEAD_H_
