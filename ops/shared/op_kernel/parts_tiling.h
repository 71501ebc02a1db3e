// What the host tells a kernel that joins tensors or takes one apart. Plain data, shared by both
// sides.
#ifndef OPS_SHARED_PARTS_TILING_H_
#define OPS_SHARED_PARTS_TILING_H_

#include <cstdint>

constexpr uint32_t kMostParts = 32;

// The whole is a matrix whose rows are those of its parts, one behind the other.
struct PartsTiling {
  uint64_t rows;           // counts the rows of every matrix
  uint64_t whole_columns;  // elements of a row of the whole
  uint64_t columns[kMostParts];
  uint32_t tile_rows[kMostParts];
  uint32_t tile_columns[kMostParts];
  uint32_t parts;
  uint32_t room;  // elements of the largest tile, rows in whole blocks
};

#endif  // OPS_SHARED_PARTS_TILING_H_
