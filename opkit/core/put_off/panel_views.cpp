#include "opkit/core/put_off/panel_views.h"

#include <algorithm>

#include "opkit/core/fractals/fractal.h"
#include "opkit/core/put_off/spans.h"

namespace opkit::core {
namespace {

constexpr uint64_t kPanelRow = 32;  // bytes

uint64_t panels_of(const PanelChange& c) { return c.row_bytes / kPanelRow; }

}  // namespace

FractalWalk::FractalWalk(const PanelChange& change, uint32_t fractal)
    : change_(&change),
      blocks_(change.rows / kSide),
      panels_(static_cast<uint32_t>(panels_of(change))),
      block_(fractal % blocks_),
      panel_(fractal / blocks_) {
  matrix_ = panel_ / panels_;
  panel_ %= panels_;
  find_rows();
}

void FractalWalk::find_rows() {
  rows_ = change_->nd + matrix_ * change_->nd_matrix_pitch +
          uint64_t{block_} * kSide * change_->nd_row_pitch + panel_ * kPanelRow;
}

void FractalWalk::advance(uint32_t fractals) {
  block_ += fractals;
  for (; block_ >= blocks_; block_ -= blocks_) ++panel_;
  for (; panel_ >= panels_; panel_ -= panels_) ++matrix_;
  find_rows();
}

// Steps of whole panels within a matrix, of blocks within a panel, or of whole matrices.
FractalWalk::Stretch FractalWalk::stretch(uint32_t step, uint32_t count, uint32_t unit) const {
  const uint32_t end = block_ + unit;  // ends the unit, in blocks of its first panel
  const uint32_t panels = panel_ + (end + blocks_ - 1) / blocks_;  // behind its last panel
  if (step == 0) return {count, 0};
  if (step % (blocks_ * panels_) == 0)
    return {panels > panels_ ? 1 : count,
            static_cast<int64_t>(step / (blocks_ * panels_) * change_->nd_matrix_pitch)};
  if (step % blocks_ == 0) {
    const uint32_t by = step / blocks_;
    return {panels > panels_ ? 1 : std::min(count, (panels_ - panels) / by + 1),
            static_cast<int64_t>(by * kPanelRow)};
  }
  return {end > blocks_ ? 1 : std::min(count, (blocks_ - end) / step + 1),
          static_cast<int64_t>(uint64_t{step} * kSide * change_->nd_row_pitch)};
}

bool PanelViews::is_dense(const PanelChange& c) {
  const uint64_t panel = c.rows * kPanelRow;
  return c.rows % kSide == 0 && c.row_bytes % kPanelRow == 0 && c.nz_row_pitch == kPanelRow &&
         (panels_of(c) == 1 || c.nz_panel_pitch == panel) &&
         (c.matrices == 1 || c.nz_matrix_pitch == panels_of(c) * panel);
}

bool PanelViews::add(const PanelChange& change) {
  if (count_ == kMaxViews || !is_dense(change)) return false;
  View& view = views_[count_++];
  view.change = change;
  view.bytes = change.matrices * panels_of(change) * change.rows * kPanelRow;
  view.gm_bytes = (change.matrices - 1) * change.nd_matrix_pitch +
                  (change.rows - 1) * change.nd_row_pitch + change.row_bytes;
  view.loads = 0;
  return true;
}

std::optional<FractalWalk> PanelViews::walk(const uint8_t* begin, uint64_t bytes,
                                            const uint8_t* fractal, uint32_t loads) {
  for (uint32_t i = 0; i < count_; ++i) {
    View& view = views_[i];
    if (!overlap(view.change.nz, view.bytes, begin, bytes)) continue;
    const auto offset = static_cast<uint64_t>(fractal - view.change.nz);
    view.loads += loads;
    if (!covers(view.change.nz, view.bytes, begin, bytes) || offset % kFractal != 0 ||
        view.loads > view.bytes / kFractal) {
      return std::nullopt;
    }
    return FractalWalk(view.change, static_cast<uint32_t>(offset / kFractal));
  }
  return std::nullopt;
}

void PanelViews::make(uint32_t i) {
  change_to_panels(views_[i].change);
  remove(i);
}

void PanelViews::make_parts_of(const uint8_t* l1, uint64_t bytes) {
  for (uint32_t i = 0; i < count_;) {
    if (overlap(views_[i].change.nz, views_[i].bytes, l1, bytes)) {
      make(i);
    } else {
      ++i;
    }
  }
}

void PanelViews::forget(const uint8_t* l1, uint64_t bytes) {
  for (uint32_t i = 0; i < count_;) {
    if (covers(l1, bytes, views_[i].change.nz, views_[i].bytes)) {
      remove(i);
    } else if (overlap(views_[i].change.nz, views_[i].bytes, l1, bytes)) {
      make(i);
    } else {
      ++i;
    }
  }
}

void PanelViews::make_readers_of(const uint8_t* gm, uint64_t bytes) {
  for (uint32_t i = 0; i < count_;) {
    if (overlap(views_[i].change.nd, views_[i].gm_bytes, gm, bytes)) {
      make(i);
    } else {
      ++i;
    }
  }
}

}  // namespace opkit::core
