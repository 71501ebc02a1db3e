// How a Matmul object says no.
#ifndef OPKIT_INCLUDE_ASCENDC_MATMUL_REFUSALS_H_
#define OPKIT_INCLUDE_ASCENDC_MATMUL_REFUSALS_H_

#include "opkit/include/ascendc/buffer_table.h"

namespace AscendC {
namespace detail {

struct Refusal {
  const char *code, *sentence;
};

// In line, so that the report names the author's line.
OPKIT_INLINE bool require(bool holds, const Refusal& refusal) {
  if (__builtin_expect(holds, 1)) return true;
  fault(refusal.code, refusal.sentence);
  return false;
}

constexpr Refusal kNotTransposable = {
    "EK1712", "Matmul: this operand's MatmulType has isTrans = false; set it to true to transpose"};
constexpr Refusal kNoTiling = {
    "EK1713",
    "Matmul: there is no tiling, or one of its sizes is not positive; pass a filled TCubeTiling to "
    "REGIST_MATMUL_OBJ or Init"};
constexpr Refusal kNoOperand = {
    "EK1714", "Matmul: A or B is not set; call SetTensorA and SetTensorB before Iterate"};
constexpr Refusal kUnknownBias = {
    "EK1715",
    "Matmul: SetBias needs a tiling with isBias = 1; call SetBias(true) on the host's tiling "
    "object"};
constexpr Refusal kNoBlock = {"EK1716", "Matmul: GetTensorC before Iterate; call Iterate first"};
constexpr Refusal kOddBatches = {
    "EK1718",
    "IterateBatch: of batchA and batchB one must be a multiple of the other, and neither 0; pass "
    "the numbers, or SetBatchNum for the cube-only form"};
constexpr Refusal kNoMoreBlocks = {
    "EK1721",
    "GetTensorC: all blocks have been fetched; set the operands again, or fetch as many blocks as "
    "there are"};
constexpr Refusal kNoWorkspace = {
    "EK1722", "Matmul: there is no workspace for blocks without a tensor; call SetWorkspace first"};
constexpr Refusal kNoBatch = {
    "EK1723",
    "GetBatchTensorC: there is no batch of these numbers left; call IterateNBatch first, with the "
    "same batchA and batchB"};
constexpr Refusal kSparseOnVectorCore = {
    "EK1724",
    "SetSparseIndex: a sparse B needs the cube-only mode; define ASCENDC_CUBE_ONLY in front of "
    "lib/matmul_intf.h and launch on cube cores"};
constexpr Refusal kSparseNotTurned = {
    "EK1724", "SetTensorB: a sparse B is stored transposed; pass isTransposeB = true"};
constexpr Refusal kNoIndex = {
    "EK1724", "Matmul: the index of the sparse B is not set; call SetSparseIndex before Iterate"};

}  // namespace detail
}  // namespace AscendC

#endif  // OPKIT_INCLUDE_ASCENDC_MATMUL_REFUSALS_H_
