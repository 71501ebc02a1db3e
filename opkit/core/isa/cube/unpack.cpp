#include "opkit/core/isa/cube/unpack.h"

#include <algorithm>
#include <cstring>

#include "opkit/core/fractals/fractal.h"
#include "opkit/core/fractals/fractal_batch.h"
#include "opkit/core/fractals/panels.h"
#include "opkit/core/fractals/turn.h"

namespace opkit::core {
namespace {

constexpr uint32_t kLineFloats = 16;  // between panels of B, so that they do not meet in the same
                                      // sets of the host's cache

uint32_t up(uint32_t n, uint32_t unit) { return (n + unit - 1) / unit * unit; }

const uint8_t* at(const opk_matrix& m, uint32_t row, uint32_t col) {
  return static_cast<const uint8_t*>(m.data.address) +
         offset_of(m, row, col) * dtype_bytes(m.data.dtype);
}

// A rectangle of a stored matrix of at most 512 bytes. What lies behind the matrix is zero.
class Piece {
 public:
  // Describes rows x cols elements from (row, col) on, of which the first `there` exist.
  Piece(const opk_matrix& m, uint32_t row, uint32_t col, const StoredRectangle& there,
        uint32_t rows, uint32_t cols) {
    const uint32_t size = dtype_bytes(m.data.dtype), c0 = static_cast<uint32_t>(c0_of(m));
    const bool together = !m.nz || (col % c0 == 0 && cols <= c0);
    if (together && there.rows == rows && there.cols == cols) {
      rows_ = at(m, row, col);
      pitch_ = m.nz ? 32 : m.pitch * size;
      return;
    }
    std::memset(room_, 0, sizeof room_);
    rows_ = room_;
    pitch_ = size_t{cols} * size;
    for (uint32_t r = 0; r < there.rows; ++r) {
      for (uint32_t c = 0, part; c < there.cols; c += part) {
        part = there.cols - c;
        if (m.nz) part = std::min(part, c0 - (col + c) % c0);
        std::memcpy(room_ + r * pitch_ + size_t{c} * size, at(m, row + r, col + c),
                    size_t{part} * size);
      }
    }
  }
  const uint8_t* rows() const { return rows_; }
  size_t pitch() const { return pitch_; }
  // Copies rows of `bytes` bytes that have no gaps between them.
  template <size_t bytes>
  const uint8_t* dense() {
    if (pitch_ == bytes) return rows_;
    for (uint32_t r = 0; r < kFractalBytes / bytes; ++r)
      std::memcpy(room_ + r * bytes, rows_ + r * pitch_, bytes);
    pitch_ = bytes;
    return rows_ = room_;
  }

 private:
  const uint8_t* rows_;
  size_t pitch_;
  alignas(64) uint8_t room_[kFractalBytes];
};

void turn_one(Turning turning, const Piece& piece, float* out) {
  FractalBatch batch;
  batch.turning = turning;
  batch.count = 1;
  batch.looks_for_nan = false;
  batch.rows = piece.rows();
  batch.row_pitch = piece.pitch();
  batch.right = 32;
  batch.out = out;
  turn_fractals(batch);
}

// 16 rows of A and c0 values of k: rows of eight, one eight after the other.
void unpack_fractal_of_a(const opk_matrix& a, uint32_t row, uint32_t k, uint32_t rows,
                         uint32_t count, uint32_t c0, float* out) {
  const bool halves = c0 == kSide;
  if (!a.transposed) {
    const Piece piece(a, a.row0 + row, a.col0 + k, {0, 0, rows, count}, kSide, c0);
    if (halves) return turn_one(Turning::kHalvesSplit, piece, out);
    for (uint32_t r = 0; r < kSide; ++r)
      std::memcpy(out + size_t{r} * 8, piece.rows() + r * piece.pitch(), 32);
    return;
  }
  Piece piece(a, a.col0 + k, a.row0 + row, {0, 0, count, rows}, c0, kSide);
  if (!halves) return turn_words_back(piece.dense<64>(), out);
  alignas(64) uint8_t turned[kFractalBytes];
  turn_halves(piece.dense<32>(), turned);
  opk_matrix whole{};
  whole.data.address = turned;
  whole.data.dtype = OPK_FLOAT16;
  whole.pitch = kSide;
  turn_one(Turning::kHalvesSplit, Piece(whole, 0, 0, {0, 0, kSide, kSide}, kSide, kSide), out);
}

// c0 values of k and 16 columns of B: rows of 16.
void unpack_fractal_of_b(const opk_matrix& b, uint32_t k, uint32_t col, uint32_t count,
                         uint32_t cols, uint32_t c0, float* out) {
  const bool halves = c0 == kSide;
  if (b.transposed) {
    const Piece piece(b, b.col0 + col, b.row0 + k, {0, 0, cols, count}, kSide, c0);
    return turn_one(halves ? Turning::kHalvesTurned : Turning::kWords, piece, out);
  }
  const Piece piece(b, b.row0 + k, b.col0 + col, {0, 0, count, cols}, c0, kSide);
  turn_one(halves ? Turning::kHalves : Turning::kJoin, piece, out);
}

// Along the stored rows, so that lines of the host's cache are used as a whole.
void unpack_fractals_of_a(const opk_matrix& a, const ProductSize& size, uint32_t c0,
                          const PanelProduct& p, float* out) {
  const uint32_t blocks = up(size.m, kSide) / kSide, steps = up(size.k, c0) / c0;
  for (uint32_t n = 0; n < blocks * steps; ++n) {
    const uint32_t block = a.transposed ? n % blocks : n / steps;
    const uint32_t step = a.transposed ? n / blocks : n % steps;
    const uint32_t row = block * kSide, k = step * c0;
    unpack_fractal_of_a(a, row, k, std::min(kSide, size.m - row), std::min(c0, size.k - k), c0,
                        out + block * p.a_block + step * p.a_run);
  }
}

// Rows of floats in GM or UB, of which fractals are what ND2NZ makes. Rows behind m stay what they
// are: no product reads them.
void unpack_rows_of_words(const opk_matrix& a, const ProductSize& size, const PanelProduct& p,
                          float* out) {
  PanelChange change;
  change.nd_row_pitch = a.pitch * sizeof(float);
  change.nz_row_pitch = 32;
  change.nz_panel_pitch = kFractalBytes;
  change.matrices = 1;
  change.row_bytes = size.k * sizeof(float);
  for (uint32_t row = 0; row < size.m; row += kSide, out += p.a_block) {
    change.nd = at(a, a.row0 + row, a.col0);
    change.nz = reinterpret_cast<uint8_t*>(out);
    change.rows = std::min(kSide, size.m - row);
    change_to_panels(change);
  }
}

// Rows of halves, of whole fractals.
void unpack_rows_of_halves(const opk_matrix& a, const ProductSize& size, const PanelProduct& p,
                           float* out) {
  FractalBatch batch;
  batch.turning = Turning::kHalvesSplit;
  batch.looks_for_nan = false;
  batch.row_pitch = a.pitch * 2;
  batch.pitch = 32;
  batch.out_pitch = p.a_run;
  for (uint32_t row = 0; row < size.m; row += kSide, out += p.a_block) {
    for (uint32_t k = 0; k < size.k; k += batch.count * kSide) {
      batch.count = std::min((size.k - k) / kSide, FractalBatch::kMost);
      batch.rows = at(a, a.row0 + row, a.col0 + k);
      batch.out = out + k / kSide * p.a_run;
      turn_fractals(batch);
    }
  }
}

void unpack_a(const opk_matrix& a, const ProductSize& size, uint32_t c0, const PanelProduct& p,
              float* out) {
  const bool rows = !a.nz && !a.transposed, halves = c0 == kSide;
  if (rows && !halves) return unpack_rows_of_words(a, size, p, out);
  if (rows && size.m % kSide == 0 && size.k % kSide == 0)
    return unpack_rows_of_halves(a, size, p, out);
  unpack_fractals_of_a(a, size, c0, p, out);
}

// Whole fractals of rows of B, side by side along its rows; the others one by one.
class Unpacking {
 public:
  Unpacking(const opk_matrix& b, const ProductSize& size, uint32_t c0, const PanelProduct& p)
      : b_(b), size_(size), c0_(c0), p_(p) {
    const bool halves = c0 == kSide;
    batch_.row_pitch = b.pitch * dtype_bytes(b.data.dtype);
    batch_.right = 32;
    batch_.looks_for_nan = false;
    if (b.nz) return;
    panels_ = size.n / kSide;
    steps_ = size.k / c0;
    batch_.turning = b.transposed ? (halves ? Turning::kHalvesTurned : Turning::kWords)
                                  : (halves ? Turning::kHalves : Turning::kJoin);
    batch_.pitch = b.transposed || halves ? 32 : 64;
    batch_.out_pitch = b.transposed ? p.b_run : p.b_panel;
  }

  void run() {
    const uint32_t lines = b_.transposed ? panels_ : steps_,
                   length = b_.transposed ? steps_ : panels_;
    for (uint32_t line = 0; line < lines; ++line) {
      for (uint32_t i = 0; i < length; i += batch_.count) {
        batch_.count = std::min(length - i, FractalBatch::kMost);
        b_.transposed ? place(line, i) : place(i, line);
        turn_fractals(batch_);
      }
    }
    for (uint32_t panel = 0; panel * kSide < size_.n; ++panel) {
      for (uint32_t step = panel < panels_ ? steps_ : 0; step * c0_ < size_.k; ++step)
        one(panel, step);
    }
  }

 private:
  float* out(uint32_t panel, uint32_t step) const {
    return p_.b + panel * p_.b_panel + step * p_.b_run;
  }
  void place(uint32_t panel, uint32_t step) {
    const uint32_t k = b_.row0 + step * c0_, col = b_.col0 + panel * kSide;
    batch_.rows = b_.transposed ? at(b_, col, k) : at(b_, k, col);
    batch_.out = out(panel, step);
  }
  void one(uint32_t panel, uint32_t step) const {
    const uint32_t k = step * c0_, col = panel * kSide;
    unpack_fractal_of_b(b_, k, col, std::min(c0_, size_.k - k), std::min(kSide, size_.n - col), c0_,
                        out(panel, step));
  }

  const opk_matrix& b_;
  const ProductSize& size_;
  const uint32_t c0_;
  const PanelProduct& p_;
  FractalBatch batch_;
  uint32_t panels_ = 0, steps_ = 0;  // whole ones
};

// Rows of whole panels side by side, which multiply_panels packs itself.
bool stays_rows(const opk_matrix& b, const ProductSize& size, uint32_t c0) {
  return !b.nz && !b.transposed && size.n % kSide == 0 && size.k % c0 == 0;
}

}  // namespace

bool has_fractal_forms(uint32_t dtype) { return dtype == OPK_FLOAT16 || dtype == OPK_FLOAT32; }

void unpack_operands(const opk_matrix& a, const opk_matrix& b, const ProductSize& size,
                     CubeScratch& scratch, PanelProduct& p) {
  const auto c0 = static_cast<uint32_t>(c0_of(a));
  const uint32_t k16 = up(size.k, c0), m16 = up(size.m, kSide), n16 = up(size.n, kSide);
  const size_t fractal = size_t{kSide} * c0;
  p.run = c0;
  p.a_row = 8;
  p.a_eight = 128;
  p.a_run = fractal;
  p.a_block = size_t{kSide} * k16;
  p.b_run = fractal;
  p.b_panel = size_t{kSide} * k16 + kLineFloats;
  float* room_a = scratch.a.take(size_t{m16} * k16);
  p.a = room_a;
  p.b = scratch.b.take(n16 / kSide * p.b_panel);
  unpack_a(a, size, c0, p, room_a);
  if (stays_rows(b, size, c0)) {
    const uint32_t bytes = dtype_bytes(b.data.dtype);
    p.b_rows = static_cast<const uint8_t*>(b.data.address) + offset_of(b, b.row0, b.col0) * bytes;
    p.b_row_pitch = b.pitch * bytes;
    return;
  }
  Unpacking(b, size, c0, p).run();
}

}  // namespace opkit::core
