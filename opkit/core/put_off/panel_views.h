// PanelViews: changes from rows in GM to panels in L1 (ND2NZ) that have not been made. In Fast mode
// a change whose result is nothing but whole fractals is only noted; LoadData turns fractals for
// the cube unit straight from the rows in GM. The change is made as soon as anything else could see
// the difference: a write to that part of GM or (in part) of L1, another instruction that reads L1,
// a scalar access, a wait for another core; and when the same fractals are loaded again.
#ifndef OPKIT_CORE_PUT_OFF_PANEL_VIEWS_H_
#define OPKIT_CORE_PUT_OFF_PANEL_VIEWS_H_

#include <cstdint>
#include <optional>

#include "opkit/core/fractals/panels.h"

namespace opkit::core {

// Where the fractals of a run of equal steps lie in GM: 16 rows of 32 bytes each.
class FractalWalk {
 public:
  const uint8_t* rows() const { return rows_; }
  uint64_t row_pitch() const { return change_->nd_row_pitch; }
  // Goes on by `fractals` fractals, which must exist.
  void advance(uint32_t fractals);
  // Looks at the next `count` steps of `step` fractals each: how many have the same length, and
  // that length in bytes. The reader takes `unit` fractals after each step; along the stretch their
  // distances from each other are the same too.
  struct Stretch {
    uint32_t count;
    int64_t pitch;
  };
  Stretch stretch(uint32_t step, uint32_t count, uint32_t unit) const;

 private:
  friend class PanelViews;
  FractalWalk(const PanelChange& change, uint32_t fractal);
  void find_rows();

  const PanelChange* change_;
  const uint8_t* rows_;
  uint32_t blocks_, panels_;  // count a panel's blocks of 16 rows, a matrix's panels of 32 bytes
  uint32_t block_, panel_, matrix_ = 0;  // where the walk is
};

class PanelViews {
 public:
  // Tells whether a change makes whole fractals that follow each other without gaps. Others are not
  // noted.
  static bool is_dense(const PanelChange& change);
  // Notes a change. False: it has to be made. REQUIRES: written() was called for its destination.
  bool add(const PanelChange& change);
  // Returns a walk that begins at `fractal`, when all `bytes` from `begin` on lie in one change
  // that has not been made. `loads`: the fractals that it will visit.
  std::optional<FractalWalk> walk(const uint8_t* begin, uint64_t bytes, const uint8_t* fractal,
                                  uint32_t loads);

  // Before L1 is read.
  void read(const uint8_t* l1, uint64_t bytes) {
    if (count_ != 0) make_parts_of(l1, bytes);
  }
  // Before every byte of this part of L1 is overwritten.
  void written(const uint8_t* l1, uint64_t bytes) {
    if (count_ != 0) forget(l1, bytes);
  }
  // Before GM is overwritten.
  void gm_written(const uint8_t* gm, uint64_t bytes) {
    if (count_ != 0) make_readers_of(gm, bytes);
  }
  // Makes every change.
  void settle() {
    while (count_ != 0) make(count_ - 1);
  }
  void clear() { count_ = 0; }
  bool empty() const { return count_ == 0; }

 private:
  static constexpr uint32_t kMaxViews = 16;
  struct View {
    PanelChange change;
    uint64_t bytes, gm_bytes;  // count bytes in L1, and in GM from the first to behind the last
    uint32_t loads;            // fractals that were loaded
  };

  void make_parts_of(const uint8_t* l1, uint64_t bytes);
  void forget(const uint8_t* l1, uint64_t bytes);
  void make_readers_of(const uint8_t* gm, uint64_t bytes);
  void make(uint32_t i);
  void remove(uint32_t i) { views_[i] = views_[--count_]; }

  View views_[kMaxViews];
  uint32_t count_ = 0;
};

}  // namespace opkit::core

#endif  // OPKIT_CORE_PUT_OFF_PANEL_VIEWS_H_
