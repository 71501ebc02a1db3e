// A dim of y as pieces, each of which comes from places of x that lie a step apart.
#ifndef PAD_PIECES_H_
#define PAD_PIECES_H_

#include "kernel_operator.h"
#include "pad_tiling.h"

struct Piece {
  int64_t y, size;  // places of y; none when it is not above 0
  int64_t x, step;  // the first place in x; step -1, 0 or 1 to the next
  bool filled;      // takes the number, nothing of x
};

class Pieces {
 public:
  __aicore__ inline Pieces(const PadPieces& t, uint32_t dim)
      : mode_(t.mode), size_(t.size[dim]), before_(t.before[dim]), after_(t.after[dim]) {}

  __aicore__ inline int64_t Count() const {
    if (Mirrored()) return Run(size_ - 1 + after_) - First() + 1;
    return 3;
  }

  __aicore__ inline Piece At(int64_t place) const {
    if (Mirrored()) return Mirror(First() + place);
    if (place == 0) return {0, before_, 0, 0, mode_ == kPadConstant};
    if (place == 1) return {before_, size_, 0, 1, false};
    return {before_ + size_, after_, size_ - 1, 0, mode_ == kPadConstant};
  }

  __aicore__ inline Piece Whole() const { return {0, before_ + size_ + after_, 0, 0, true}; }

 private:
  // One element has no mirror: its neighbours are itself, as at an edge.
  __aicore__ inline bool Mirrored() const { return mode_ == kPadReflect && size_ > 1; }

  // Returns the run of a place: between two borders, there and back in turn.
  __aicore__ inline int64_t Run(int64_t place) const {
    const int64_t length = size_ - 1;
    return place >= 0 ? place / length : -((-place + length - 1) / length);
  }
  // Both borders belong to the run that goes there: the first place may be one's last.
  __aicore__ inline int64_t First() const { return Run(-before_ - 1); }

  __aicore__ inline Piece Mirror(int64_t run) const {
    const int64_t border = run * (size_ - 1);
    const bool back = run % 2 != 0;
    int64_t begin = back ? border + 1 : border, end = border + size_ - (back ? 1 : 0);
    if (begin < -before_) begin = -before_;
    if (end > size_ + after_) end = size_ + after_;
    const int64_t inside = begin - border;
    return {begin + before_, end - begin, back ? size_ - 1 - inside : inside, back ? -1 : 1, false};
  }

  uint32_t mode_;
  int64_t size_, before_, after_;
};

#endif  // PAD_PIECES_H_
