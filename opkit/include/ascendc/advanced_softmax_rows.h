// What the softmax calls share: shapes, configurations, statistics and the rows of ND and NZ data.
// (Page "SoftMax".) Rows are computed in float, one after the other; a row needs its floats and two
// blocks of temporary buffer, a row of NZ data its elements, too. Statistics have one block per
// row, all lanes equal.
#ifndef OPKIT_INCLUDE_ASCENDC_ADVANCED_SOFTMAX_ROWS_H_
#define OPKIT_INCLUDE_ASCENDC_ADVANCED_SOFTMAX_ROWS_H_

#include "kernel_tiling/kernel_tiling.h"
#include "opkit/include/ascendc/advanced_rows.h"

namespace AscendC {

// Rows and columns as they lie in memory, and without padding; 0 means: as the tiling says.
struct SoftMaxShapeInfo {
  uint32_t srcM = 0;
  uint32_t srcK = 0;
  uint32_t oriSrcM = 0;
  uint32_t oriSrcK = 0;
};
enum class SoftmaxMode : uint8_t { SOFTMAX_NORMAL = 0, SOFTMAX_OUTPUT_WITHOUT_BRC = 1 };
struct SoftmaxConfig {
  bool isCheckTiling = true;
  uint32_t oriSrcM = 0;
  uint32_t oriSrcK = 0;
  SoftmaxMode mode = SoftmaxMode::SOFTMAX_NORMAL;
};
inline constexpr SoftmaxConfig SOFTMAX_DEFAULT_CFG{};

namespace detail {

// Rows that count, pitch of a row (srcK), elements of a row that count, and all rows (srcM). What a
// row has behind those that count takes no part in maxima and sums, but results are written there,
// too, from what the source has there.
struct SoftmaxRows {
  uint32_t rows, pitch, length, height;
};

// NZ data are panels of 16 columns; a panel holds 16 elements of every row, one row after the
// other: [srcK / 16][srcM][16]. The page "SoftMax" names the axes [W1][H1][H0][W0] and calls H1 *
// H0 srcM, W1 * W0 srcK. Fractals are 16 x 16 for float, too, as the product of a Matmul object
// leaves them (page about the channel split of its result).
constexpr uint32_t kPanel = 16;

template <bool isNz, typename T>
OPKIT_INLINE bool is_softmax_shape(const char* name, uint32_t m, uint32_t k) {
  if constexpr (!isNz) {
    (void)m;
    return is_whole_row<T>(name, k);
  } else {
    if (__builtin_expect(k != 0 && k % kPanel == 0 && m != 0 && m % kPanel == 0, 1)) return true;
    const bool columns = k == 0 || k % kPanel != 0;
    refuse_shape(name,
                 columns ? "srcK of NZ data must be a multiple of 16 and not zero"
                         : "srcM of NZ data must be a multiple of 16 and not zero",
                 columns ? k : m);
    return false;
  }
}

template <bool isNz, typename T, const SoftmaxConfig& config = SOFTMAX_DEFAULT_CFG, typename Tiling>
OPKIT_INLINE SoftmaxRows softmax_rows(const char* name, const Tiling& tiling,
                                      const SoftMaxShapeInfo& info) {
  static_assert(!isNz || config.mode == SoftmaxMode::SOFTMAX_NORMAL,
                "softmax of NZ data takes no mode: its statistics are blocks");
  const uint32_t m = info.srcM ? info.srcM : tiling.srcM, k = info.srcK ? info.srcK : tiling.srcK;
  SoftmaxRows r{info.oriSrcM ? info.oriSrcM : m, k, info.oriSrcK ? info.oriSrcK : k, m};
  if (config.oriSrcM != 0 && config.oriSrcK != 0) {
    r.rows = config.oriSrcM;
    r.length = config.oriSrcK;
  }
  if (!is_softmax_shape<isNz, T>(name, m, k)) r.rows = 0;
  if (r.length > k || r.rows > m) {
    refuse_shape(name, "oriSrcM and oriSrcK must not be above srcM and srcK",
                 r.length > k ? r.length : r.rows);
    r.rows = 0;
  }
  return r;
}

// Copies `length` elements, 16 by 16; steps in blocks of 32 bytes.
template <typename T>
OPKIT_INLINE void copy_panels(const LocalTensor<T>& dst, uint32_t to, const LocalTensor<T>& src,
                              uint32_t from, uint32_t length) {
  constexpr uint32_t kBlocks = kPanel / block_lanes<T>(), kMost = 240;
  const CopyRepeatParams steps(1, 1, static_cast<uint16_t>(to * kBlocks),
                               static_cast<uint16_t>(from * kBlocks));
  const uint32_t full = length / kPanel;
  for (uint32_t at = 0; at < full; at += kMost) {
    const uint32_t now = full - at < kMost ? full - at : kMost;
    Copy(dst[at * to * kPanel], src[at * from * kPanel], uint64_t{kPanel},
         static_cast<uint8_t>(now), steps);
  }
  if (length % kPanel)
    Copy(dst[full * to * kPanel], src[full * from * kPanel], uint64_t{length % kPanel}, 1, steps);
}
// Row i of NZ data, to and from elements that follow each other.
template <typename T>
OPKIT_INLINE void gather_row(const LocalTensor<T>& line, const LocalTensor<T>& data, uint32_t i,
                             const SoftmaxRows& r) {
  copy_panels(line, 1, data[i * kPanel], r.height, r.pitch);
}
template <typename T>
OPKIT_INLINE void scatter_row(const LocalTensor<T>& data, const LocalTensor<T>& line, uint32_t i,
                              const SoftmaxRows& r) {
  copy_panels(data[i * kPanel], r.height, line, 1, r.pitch);
}

// The rows of a tensor as elements that follow each other: ND where they are, NZ by way of a line
// of temporary buffer.
template <bool isNz, typename T>
class SoftmaxLine {
 public:
  OPKIT_INLINE SoftmaxLine(Scratch& scratch, const SoftmaxRows& rows) : rows_(rows) {
    if constexpr (isNz) line_ = scratch.take<T>(rows.pitch);
  }
  OPKIT_INLINE LocalTensor<T> load(const LocalTensor<T>& data, uint32_t i) const {
    if constexpr (isNz) gather_row(line_, data, i, rows_);
    return place(data, i);
  }
  // Where row i is to be computed; store() follows.
  OPKIT_INLINE LocalTensor<T> place(const LocalTensor<T>& data, uint32_t i) const {
    if constexpr (isNz) {
      return line_;
    } else {
      return data[i * rows_.pitch];
    }
  }
  OPKIT_INLINE void store(const LocalTensor<T>& data, uint32_t i) const {
    if constexpr (isNz) scatter_row(data, line_, i, rows_);
  }

 private:
  const SoftmaxRows& rows_;
  LocalTensor<T> line_;
};

struct SoftmaxRoom {
  LocalTensor<float> a, b, row;  // two blocks and a row
  LaneSpreader spread;

  OPKIT_INLINE SoftmaxRoom(Scratch& scratch, uint32_t pitch)
      : a(scratch.take<float>(8)),
        b(scratch.take<float>(8)),
        row(scratch.take<float>(pitch)),
        spread(scratch) {}
};

// Where the statistics of all rows lie.
template <SoftmaxMode mode, typename S>
OPKIT_INLINE Extent statistics(const LocalTensor<S>& tensor, const SoftmaxRows& r) {
  return extent(tensor, r.rows * (mode == SoftmaxMode::SOFTMAX_NORMAL ? block_lanes<S>() : 1));
}
// The statistic of row i: a block of equal lanes, or one element (SOFTMAX_OUTPUT_WITHOUT_BRC).
template <SoftmaxMode mode, typename S>
OPKIT_INLINE void store_statistic(const LocalTensor<S>& dst, uint32_t i,
                                  const LocalTensor<float>& block, const SoftmaxRoom& room) {
  if constexpr (mode == SoftmaxMode::SOFTMAX_NORMAL) {
    store_block(dst[i * block_lanes<S>()], block, room.row);
  } else {
    store_one(dst[i], block, room.row);
  }
}
template <SoftmaxMode mode, typename S>
OPKIT_INLINE LocalTensor<float> load_statistic(const LocalTensor<S>& src, uint32_t i,
                                               const LocalTensor<float>& block,
                                               const SoftmaxRoom& room) {
  if constexpr (mode == SoftmaxMode::SOFTMAX_NORMAL) {
    return as_floats(src[i * block_lanes<S>()], block, 8);
  } else {
    room.spread(block, src, i);
    return block;
  }
}

// The maximum of a row in every lane of room.a; overwrites room.row, and room.b for half.
template <typename T>
OPKIT_INLINE void row_maximum(const SoftmaxRoom& room, const LocalTensor<T>& x, uint32_t n) {
  if constexpr (std::is_same<T, float>::value) {
    reduce_to_block<ReduceType::MAX>(room.a, x, room.row, n);
  } else {
    const LocalTensor<half> block = room.b.template ReinterpretCast<half>();
    reduce_to_block<ReduceType::MAX>(block, x, room.row.template ReinterpretCast<half>(), n);
    Cast(room.a, block, RoundMode::CAST_NONE, 8);
  }
}

// y = exp(x - max); y is dst, or the row of the room for half.
template <typename T>
OPKIT_INLINE LocalTensor<float> exponentials(const SoftmaxRoom& room, const LocalTensor<T>& dst,
                                             const LocalTensor<T>& x, uint32_t n) {
  const LocalTensor<float> y = result_of(dst, room.row);
  with_block(OPK_V_SUB, y, as_floats(x, room.row, n), room.a, n);
  Exp(y, y, static_cast<int32_t>(n));
  return y;
}
// Where a sum of y may keep its partial sums: whichever of dst and the room's row y is not.
template <typename T>
OPKIT_INLINE LocalTensor<float> partial_sums(const SoftmaxRoom& room, const LocalTensor<T>& dst) {
  if constexpr (std::is_same<T, float>::value) {
    (void)dst;
    return room.row;
  } else {
    return dst.template ReinterpretCast<float>();
  }
}

template <typename T>
constexpr void check_softmax_type() {
  static_assert(is_real<T>(), "softmax exists for half and float only: Cast to float first");
}

}  // namespace detail
}  // namespace AscendC

#endif  // OPKIT_INCLUDE_ASCENDC_ADVANCED_SOFTMAX_ROWS_H_
