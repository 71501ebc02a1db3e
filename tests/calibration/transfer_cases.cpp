#include "bench_core.h"
#include "cases.h"

using namespace AscendC;

namespace calibration {
namespace {

constexpr size_t kMte2 = 4;

// A matrix of halves, read tile by tile: row tiles outside, column tiles inside.
struct Matrix {
  uint64_t rows = 12288, columns = 12288;
  uint32_t tile_rows = 64, tile_columns = 1024;
  bool to_l1 = false;

  uint64_t pitch() const { return columns * 2; }
  void read(uint8_t* gm, uint64_t first_row, uint64_t last_row, uint64_t first_column,
            uint64_t last_column) const {
    for (uint64_t r = first_row; r < last_row; r += tile_rows) {
      for (uint64_t c = first_column; c < last_column; c += tile_columns) {
        const auto rows_now = static_cast<uint32_t>(std::min<uint64_t>(tile_rows, last_row - r));
        const auto bytes =
            static_cast<uint32_t>(std::min<uint64_t>(tile_columns, last_column - c) * 2);
        (to_l1 ? copy_rows_to_l1 : copy_rows_to_ub)(gm + r * pitch() + c * 2, rows_now, bytes,
                                                    pitch());
      }
    }
  }
};

Prediction transfer_case(const Matrix& m, uint32_t blocks, bool uncached,
                         std::function<void(uint8_t*)> body) {
  BenchRun run;
  run.kernel = [&](const std::vector<uint8_t*>& gm) {
    body(gm[0]);
    PipeBarrier<PIPE_ALL>();
  };
  run.task_type = m.to_l1 ? OPK_TASK_AIC_ONLY : OPK_TASK_AIV_ONLY;
  run.blocks = blocks;
  run.tensors = {m.rows * m.pitch()};
  if (uncached) run.uncached = {"t0"};
  const auto result = time_of(run);
  return {static_cast<double>(result.task_ns) / 1000, result};
}

// Every block reads its rows, `passes` times, column slice by column slice.
Prediction own_rows(const Matrix& m, uint32_t blocks, uint64_t slice, uint32_t passes) {
  return transfer_case(m, blocks, false, [&](uint8_t* gm) {
    const uint64_t each = m.rows / static_cast<uint64_t>(GetBlockNum());
    const uint64_t first = each * static_cast<uint64_t>(GetBlockIdx());
    for (uint64_t c = 0; c < m.columns; c += slice) {
      for (uint32_t p = 0; p < passes; ++p)
        m.read(gm, first, first + each, c, std::min(c + slice, m.columns));
    }
  });
}

// Every block reads the whole matrix, starting at its own part or all at the beginning.
Prediction whole_matrix(bool staggered) {
  Matrix m;
  m.rows = 6144;
  m.columns = 512;
  m.tile_rows = 128;
  m.tile_columns = 64;
  return transfer_case(m, 48, true, [&](uint8_t* gm) {
    const uint64_t start = staggered ? m.rows / 48 * static_cast<uint64_t>(GetBlockIdx()) : 0;
    m.read(gm, start, m.rows, 0, m.columns);
    m.read(gm, 0, start, 0, m.columns);
  });
}

Matrix tiles(uint32_t rows, uint32_t columns, bool to_l1, uint64_t matrix_columns = 12288) {
  Matrix m;
  m.tile_rows = rows;
  m.tile_columns = columns;
  m.to_l1 = to_l1;
  m.columns = matrix_columns;
  return m;
}

}  // namespace

std::vector<Case> transfer_cases() {
  constexpr uint64_t kAll = 1 << 20;
  return {
      {"U1",
       "GM to UB, 128 B per copy, 48 cores",
       564.84,
       [] { return own_rows(tiles(1, 64, false), 48, kAll, 1); },
       {{kMte2, 548.161}}},
      {"U3",
       "GM to UB, 64 rows of 2048 B",
       215.82,
       [] { return own_rows(tiles(64, 1024, false), 48, kAll, 1); },
       {{kMte2, 202.657}}},
      {"U6", "column slices read four times (75 % L2 hits)", 365.74,
       [] { return own_rows(tiles(64, 1024, false), 48, 3072, 4); }},
      {"U7",
       "all cores read the same addresses in the same order",
       539.42,
       [] { return whole_matrix(false); },
       {{kMte2, 474.717}}},
      {"U8",
       "all cores read everything, each from its own start",
       328.88,
       [] { return whole_matrix(true); },
       {{kMte2, 307.38}}},
      {"T1",
       "GM to L1, ND to NZ, 64 rows of 128 B, 24 cores",
       300.7,
       [] { return own_rows(tiles(64, 64, true), 24, kAll, 1); },
       {{kMte2, 283.508}}},
      {"T3",
       "rows that start unaligned",
       438.76,
       [] { return own_rows(tiles(64, 256, true, 12287), 24, kAll, 1); },
       {{kMte2, 422.515}}},
      {"T4", "64 rows of 2048 B, the whole matrix four times", 899.34,
       [] { return own_rows(tiles(64, 1024, true), 24, kAll, 4); }},
  };
}

}  // namespace calibration
