// What the host tells an EmbeddingBagMlp. Plain data, shared by both sides.
#ifndef EMBEDDING_BAG_MLP_EMBEDDING_BAG_MLP_TILING_H_
#define EMBEDDING_BAG_MLP_EMBEDDING_BAG_MLP_TILING_H_

#include "kernel_tiling/kernel_tiling.h"

constexpr uint32_t kMostLayers = 3;

// A part is part_bags bags at most, which a core leads through all layers.
struct EmbeddingBagMlpTiling {
  AscendC::tiling::TCubeTiling cube;  // cuts part_bags x block_columns sums
  uint64_t rows, ids, bags;           // rows: of the table
  uint32_t size[kMostLayers + 1];     // measures a row of the table, and what each layer gives
  uint32_t layers;                    // 2 or 3
  uint32_t part_bags, block_columns;
  uint32_t widest;        // measures what lies in the workspace between two layers
  uint32_t tile_rows;     // counts the rows of the table that lie in UB at once
  uint32_t tile_columns;  // counts their columns
  uint32_t mean;          // 0 or 1
};

#endif  // EMBEDDING_BAG_MLP_EMBEDDING_BAG_MLP_TILING_H_
