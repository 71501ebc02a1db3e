// EK1201 to EK1218: forms of vector instructions that this chip does not have.
#include "corpus.h"
#include "static_tensors.h"

using namespace AscendC;

namespace faults {
namespace {

// Tensors of T over 16 KiB each, filled.
template <typename T>
struct Filled {
  static constexpr uint32_t kCount = 16384 / sizeof(T);
  LocalTensor<T> d{TPosition::VECOUT, 0, kCount}, a{TPosition::VECIN, 16384, kCount},
      b{TPosition::VECIN, 32768, kCount}, c{TPosition::VECIN, 49152, kCount};
  __aicore__ inline Filled() {
    Duplicate(a, T(1), kCount);
    Duplicate(b, T(2), kCount);
    Duplicate(c, T(0), kCount);
    Duplicate(d, T(0), kCount);
  }
};

// --- EK1201: repeats ----------------------------------------------------------------------------

template <bool kFault>
void sums_three_hundred_repeats(GM_ADDR, GM_ADDR, GM_ADDR, GM_ADDR) {
  Filled<float> t;
  const int32_t rows = kFault ? 300 : 60;
  WholeReduceSum(t.d, t.a, 64, rows, 1, 1, 0);  // FAULT: sums_three_hundred_repeats
}

template <bool kFault>
void sums_blocks_too_often(GM_ADDR, GM_ADDR, GM_ADDR, GM_ADDR) {
  Filled<float> t;
  BlockReduceSum(t.d, t.a, kFault ? 256 : 32, 64, 1, 1, 0);  // FAULT: sums_blocks_too_often
}

template <bool kFault>
void sums_pairs_too_often(GM_ADDR, GM_ADDR, GM_ADDR, GM_ADDR) {
  Filled<half> t;
  const int32_t tiles = 4, repeats = kFault ? tiles * 64 : tiles * 8;
  PairReduceSum(t.d, t.a, repeats, 128, 1, 1, 0);  // FAULT: sums_pairs_too_often
}

// --- EK1202: types. The headers refuse most; a plugin built with others reaches the engine. ------

template <bool kFault>
void adds_bfloat16(GM_ADDR, GM_ADDR, GM_ADDR, GM_ADDR) {
  Filled<half> t;
  opk_vector_v1 v = AscendC::detail::vector_call(OPK_V_ADD, 3);
  v.operand[0] = AscendC::detail::operand(t.d);
  v.operand[1] = AscendC::detail::operand(t.a);
  v.operand[2] = AscendC::detail::operand(t.b);
  for (int i = 0; kFault && i < 3; ++i) v.operand[i].dtype = OPK_BFLOAT16;
  v.count = 128;
  AscendC::detail::issue(v);  // FAULT: adds_bfloat16
}

template <bool kFault>
void exponentials_of_bytes(GM_ADDR, GM_ADDR, GM_ADDR, GM_ADDR) {
  Filled<half> t;
  opk_vector_v1 v = AscendC::detail::vector_call(OPK_V_EXP, 2);
  v.operand[0] = AscendC::detail::operand(t.d);
  v.operand[1] = AscendC::detail::operand(t.a);
  for (int i = 0; kFault && i < 2; ++i) v.operand[i].dtype = OPK_INT8;
  v.count = 128;
  AscendC::detail::issue(v);  // FAULT: exponentials_of_bytes
}

template <bool kFault>
void casts_float_to_bytes(GM_ADDR, GM_ADDR, GM_ADDR, GM_ADDR) {
  Filled<float> t;
  opk_vector_v1 v = AscendC::detail::vector_call(OPK_V_CAST, 2);
  v.operand[0] = AscendC::detail::operand(t.d);
  v.operand[1] = AscendC::detail::operand(t.a);
  v.operand[0].dtype = kFault ? OPK_UINT8 : OPK_FLOAT16;
  v.mode = static_cast<uint8_t>(RoundMode::CAST_RINT);
  v.count = 64;
  AscendC::detail::issue(v);  // FAULT: casts_float_to_bytes
}

// --- EK1203: rounding modes ---------------------------------------------------------------------

template <bool kFault>
void widens_with_a_rounding_mode(GM_ADDR, GM_ADDR, GM_ADDR, GM_ADDR) {
  Filled<half> t;
  LocalTensor<float> wide(TPosition::VECCALC, 65536, 1024);
  const RoundMode mode = kFault ? RoundMode::CAST_CEIL : RoundMode::CAST_NONE;
  Cast(wide, t.a, mode, 256);  // FAULT: widens_with_a_rounding_mode
}

template <bool kFault>
void makes_integers_without_a_mode(GM_ADDR, GM_ADDR, GM_ADDR, GM_ADDR) {
  Filled<float> t;
  LocalTensor<int32_t> whole(TPosition::VECCALC, 65536, 1024);
  const RoundMode mode = kFault ? RoundMode::CAST_NONE : RoundMode::CAST_FLOOR;
  Cast(whole, t.a, mode, 256);  // FAULT: makes_integers_without_a_mode
}

template <bool kFault>
void narrows_to_bfloat16_without_a_mode(GM_ADDR, GM_ADDR, GM_ADDR, GM_ADDR) {
  Filled<float> t;
  LocalTensor<bfloat16_t> narrow(TPosition::VECCALC, 65536, 1024);
  const RoundMode mode = kFault ? RoundMode::CAST_NONE : RoundMode::CAST_RINT;
  Cast(narrow, t.a, mode, 256);  // FAULT: narrows_to_bfloat16_without_a_mode
}

// --- EK1205: instructions that this engine does not know ----------------------------------------

template <bool kFault, uint16_t kOp, uint8_t kOperands>
__aicore__ inline opk_vector_v1 unknown(Filled<float>& t) {
  opk_vector_v1 v = AscendC::detail::vector_call(OPK_V_EXP, 2);
  v.operand[0] = AscendC::detail::operand(t.d);
  v.operand[1] = AscendC::detail::operand(t.a);
  v.count = 64;
  if constexpr (kFault) v.op = kOp, v.operand_count = kOperands;
  return v;
}

template <bool kFault>
void instruction_of_a_newer_header(GM_ADDR, GM_ADDR, GM_ADDR, GM_ADDR) {
  Filled<float> t;
  const auto v = unknown<kFault, 5000, 2>(t);
  AscendC::detail::issue(v);  // FAULT: instruction_of_a_newer_header
}

template <bool kFault>
void instruction_without_operands(GM_ADDR, GM_ADDR, GM_ADDR, GM_ADDR) {
  Filled<float> t;
  const auto v = unknown<kFault, OPK_V_EXP, 0>(t);
  AscendC::detail::issue(v);  // FAULT: instruction_without_operands
}

template <bool kFault>
void instruction_with_nine_operands(GM_ADDR, GM_ADDR, GM_ADDR, GM_ADDR) {
  Filled<float> t;
  const auto v = unknown<kFault, OPK_V_EXP, 9>(t);
  AscendC::detail::issue(v);  // FAULT: instruction_with_nine_operands
}

// --- EK1206: strides of the destination ---------------------------------------------------------

template <bool kFault>
void writes_one_block_over_and_over(GM_ADDR, GM_ADDR, GM_ADDR, GM_ADDR) {
  Filled<float> t;
  const UnaryRepeatParams p(kFault ? 0 : 1, 1, 8, 8);
  Abs(t.d, t.a, uint64_t{64}, 1, p);  // FAULT: writes_one_block_over_and_over
}

template <bool kFault>
void broadcasts_into_one_block(GM_ADDR, GM_ADDR, GM_ADDR, GM_ADDR) {
  Filled<float> t;
  Brcb(t.d, t.a, 1, {kFault ? uint16_t(0) : uint16_t(1), 8});  // FAULT: broadcasts_into_one_block
}

template <bool kFault>
void adds_into_one_block(GM_ADDR, GM_ADDR, GM_ADDR, GM_ADDR) {
  Filled<half> t;
  const BinaryRepeatParams p(kFault ? 0 : 1, 1, 1, 8, 8, 8);
  Add(t.d, t.a, t.b, uint64_t{128}, 4, p);  // FAULT: adds_into_one_block
}

// --- EK1207: counts of comparisons --------------------------------------------------------------

template <bool kFault>
void compares_a_tail(GM_ADDR, GM_ADDR, GM_ADDR, GM_ADDR) {
  Filled<float> t;
  auto bits = t.d.ReinterpretCast<uint8_t>();
  Compare(bits, t.a, t.b, CMPMODE::LT, kFault ? 100 : 128);  // FAULT: compares_a_tail
}

template <bool kFault>
void compares_half_a_repeat(GM_ADDR, GM_ADDR, GM_ADDR, GM_ADDR) {
  Filled<half> t;
  auto bits = t.d.ReinterpretCast<uint8_t>();
  Compare(bits, t.a, t.b, CMPMODE::GT, kFault ? 64 : 128);  // FAULT: compares_half_a_repeat
}

template <bool kFault>
void compares_a_tail_with_a_scalar(GM_ADDR, GM_ADDR, GM_ADDR, GM_ADDR) {
  Filled<float> t;
  auto bits = t.d.ReinterpretCast<uint8_t>();
  const uint32_t n = kFault ? 72 : 64;
  CompareScalar(bits, t.a, 0.5f, CMPMODE::GE, n);  // FAULT: compares_a_tail_with_a_scalar
}

// --- EK1208: offsets of Gather ------------------------------------------------------------------

template <bool kFault>
void gathers_by_element_numbers(GM_ADDR, GM_ADDR, GM_ADDR, GM_ADDR) {
  Filled<float> t;
  LocalTensor<uint32_t> at(TPosition::VECCALC, 65536, 64);
  Duplicate(at, uint32_t(kFault ? 6 : 24), 64);  // bytes are wanted
  Gather(t.d, t.a, at, 0, 64);                   // FAULT: gathers_by_element_numbers
}

template <bool kFault>
void gathers_behind_the_source(GM_ADDR, GM_ADDR, GM_ADDR, GM_ADDR) {
  Filled<float> t;
  LocalTensor<float> table(TPosition::VECIN, 16384, kTile);
  LocalTensor<uint32_t> at(TPosition::VECCALC, 65536, 64);
  Duplicate(at, uint32_t(kFault ? kTile * 4 : 0), 64);
  Gather(t.d, table, at, 0, 64);  // FAULT: gathers_behind_the_source
}

template <bool kFault>
void gathers_halves_from_odd_bytes(GM_ADDR, GM_ADDR, GM_ADDR, GM_ADDR) {
  Filled<half> t;
  LocalTensor<uint32_t> at(TPosition::VECCALC, 65536, 128);
  Duplicate(at, 4u, 128);
  if constexpr (kFault) at.SetValue(77, 5);
  Gather(t.d, t.a, at, 0, 128);  // FAULT: gathers_halves_from_odd_bytes
}

// --- EK1209: patterns ---------------------------------------------------------------------------

template <bool kFault>
void packs_by_pattern_nine(GM_ADDR, GM_ADDR, GM_ADDR, GM_ADDR) {
  Filled<float> t;
  uint64_t kept = 0;
  const uint8_t pattern = kFault ? 9 : 1;
  GatherMask(t.d, t.a, pattern, false, 0, {1, 1, 8, 8}, kept);  // FAULT: packs_by_pattern_nine
}

template <bool kFault>
void packs_by_pattern_zero(GM_ADDR, GM_ADDR, GM_ADDR, GM_ADDR) {
  Filled<float> t;
  uint64_t kept = 0;
  const uint8_t pattern = kFault ? 0 : 7;
  GatherMask(t.d, t.a, pattern, false, 0, {1, 1, 8, 8}, kept);  // FAULT: packs_by_pattern_zero
}

template <bool kFault>
void takes_a_mask_for_a_pattern(GM_ADDR, GM_ADDR, GM_ADDR, GM_ADDR) {
  Filled<half> t;
  uint64_t kept = 0;
  const uint8_t bits = kFault ? 0xAA : 2;
  GatherMask(t.d, t.a, bits, false, 0, {1, 1, 8, 8}, kept);  // FAULT: takes_a_mask_for_a_pattern
}

// --- EK1210: merging ----------------------------------------------------------------------------

// The pairs of four lists of `length`.
struct Merge {
  Filled<float> t;
  MrgSortSrcList<float> lists{t.a, t.a[1024], t.b, t.b[1024]};
  MrgSort4Info info;
  __aicore__ inline Merge(uint16_t n, uint16_t valid, uint16_t repeats) {
    const uint16_t lengths[4] = {n, n, n, n};
    info = MrgSort4Info(lengths, false, valid, repeats);
  }
};

template <bool kFault>
void merges_the_first_and_third_list(GM_ADDR, GM_ADDR, GM_ADDR, GM_ADDR) {
  Merge m(4, kFault ? 5 : 3, 1);
  MrgSort(m.t.d, m.lists, m.info);  // FAULT: merges_the_first_and_third_list
}

template <bool kFault>
void merges_lists_that_are_too_long(GM_ADDR, GM_ADDR, GM_ADDR, GM_ADDR) {
  Merge m(kFault ? 4096 : 64, 3, 1);
  MrgSort(m.t.d, m.lists, m.info);  // FAULT: merges_lists_that_are_too_long
}

template <bool kFault>
void merges_two_lists_twice(GM_ADDR, GM_ADDR, GM_ADDR, GM_ADDR) {
  Merge m(8, kFault ? 3 : 15, kFault ? 2 : 1);
  MrgSort(m.t.d, m.lists, m.info);  // FAULT: merges_two_lists_twice
}

// --- EK1211: modes ------------------------------------------------------------------------------

template <bool kFault>
void compares_integers_by_size(GM_ADDR, GM_ADDR, GM_ADDR, GM_ADDR) {
  Filled<int32_t> t;
  auto bits = t.d.ReinterpretCast<uint8_t>();
  const CMPMODE mode = kFault ? CMPMODE::LT : CMPMODE::EQ;
  Compare(bits, t.a, t.b, mode, 64);  // FAULT: compares_integers_by_size
}

template <bool kFault>
void selects_by_an_unknown_mode(GM_ADDR, GM_ADDR, GM_ADDR, GM_ADDR) {
  Filled<float> t;
  auto bits = t.c.ReinterpretCast<uint8_t>();
  const SELMODE mode = kFault ? static_cast<SELMODE>(7) : SELMODE::VSEL_TENSOR_TENSOR_MODE;
  Select(t.d, bits, t.a, t.b, mode, 64);  // FAULT: selects_by_an_unknown_mode
}

template <bool kFault>
void reduces_in_an_unknown_order(GM_ADDR, GM_ADDR, GM_ADDR, GM_ADDR) {
  Filled<float> t;
  const auto o = kFault ? static_cast<ReduceOrder>(9) : ReduceOrder::ORDER_VALUE_INDEX;
  WholeReduceMax(t.d, t.a, 64, 1, 1, 1, 8, o);  // FAULT: reduces_in_an_unknown_order
}

// --- EK1214: counts -----------------------------------------------------------------------------

template <bool kFault>
void adds_minus_three_elements(GM_ADDR, GM_ADDR, GM_ADDR, GM_ADDR) {
  Filled<float> t;
  Add(t.d, t.a, t.b, kFault ? -3 : 3);  // FAULT: adds_minus_three_elements
}

// The last tile's count comes out of a subtraction.
template <bool kFault>
void scales_a_tail_that_is_not_there(GM_ADDR, GM_ADDR, GM_ADDR, GM_ADDR) {
  Filled<float> t;
  const int32_t total = 500, done = kFault ? 512 : 256;
  Muls(t.d, t.a, 2.0f, total - done);  // FAULT: scales_a_tail_that_is_not_there
}

template <bool kFault>
void fills_less_than_nothing(GM_ADDR, GM_ADDR, GM_ADDR, GM_ADDR) {
  Filled<half> t;
  const int32_t n = kFault ? -128 : 128;
  Exp(t.d, t.a, n);  // FAULT: fills_less_than_nothing
}

// --- EK1218: shifts -----------------------------------------------------------------------------

template <bool kFault>
void shifts_left_by_more_than_a_word(GM_ADDR, GM_ADDR, GM_ADDR, GM_ADDR) {
  Filled<int32_t> t;
  ShiftLeft(t.d, t.a, kFault ? 33 : 32, 64);  // FAULT: shifts_left_by_more_than_a_word
}

template <bool kFault>
void shifts_right_by_minus_one(GM_ADDR, GM_ADDR, GM_ADDR, GM_ADDR) {
  Filled<int16_t> t;
  const int16_t by = kFault ? -1 : 1;
  ShiftRight(t.d, t.a, by, 64);  // FAULT: shifts_right_by_minus_one
}

template <bool kFault>
void shifts_a_half_word_away(GM_ADDR, GM_ADDR, GM_ADDR, GM_ADDR) {
  Filled<uint16_t> t;
  const uint16_t by = kFault ? 24 : 8;
  ShiftLeft(t.d, t.a, by, 64);  // FAULT: shifts_a_half_word_away
}

// --- EK1219: counts of words --------------------------------------------------------------------

template <bool kFault>
void counts_elements_for_words(GM_ADDR x, GM_ADDR y, GM_ADDR z, GM_ADDR w) {
  Tensors t(x, y, z, w);
  const auto a = t.y.ReinterpretCast<int32_t>(), b = t.z.ReinterpretCast<int32_t>();
  Duplicate(a, 3, kTile);
  PipeBarrier<PIPE_V>();
  And(b, a, a, kFault ? kTile : 2 * kTile);  // FAULT: counts_elements_for_words
}

template <bool kFault>
void joins_half_of_the_flags(GM_ADDR, GM_ADDR, GM_ADDR, GM_ADDR) {
  const LocalTensor<uint32_t> a(TPosition::VECCALC, 0, 96), b(TPosition::VECCALC, 1024, 96);
  Duplicate(a, 1u, 96);
  Duplicate(b, 2u, 96);
  PipeBarrier<PIPE_V>();
  Or(b, a, b, kFault ? 96 : 192);  // FAULT: joins_half_of_the_flags
}

// As words the operands have as many elements as the count says.
template <bool kFault>
void masks_floats_by_their_number(GM_ADDR x, GM_ADDR y, GM_ADDR z, GM_ADDR w) {
  Tensors t(x, y, z, w);
  using Bits = std::conditional_t<kFault, int32_t, int16_t>;
  const LocalTensor<int32_t> mask(TPosition::VECCALC, 24576, kTile);
  Duplicate(t.y, -1.0f, kTile);
  Duplicate(mask, 0x7fffffff, kTile);
  PipeBarrier<PIPE_V>();
  const auto bits = t.y.ReinterpretCast<Bits>(), z_bits = t.z.ReinterpretCast<Bits>();
  const auto mask_bits = mask.ReinterpretCast<Bits>();
  And(z_bits, bits, mask_bits, bits.GetSize());  // FAULT: masks_floats_by_their_number
  t.store(kFault ? 8 : kTile);
}

}  // namespace

Family vector_faults() {
  return {
      VECTOR_FAULT("EK1219", counts_elements_for_words, "the count is one of 16-bit words"),
      VECTOR_FAULT("EK1219", joins_half_of_the_flags, "half of it stays as it was"),
      VECTOR_FAULT("EK1219", masks_floats_by_their_number, "two per element"),
      VECTOR_FAULT("EK1201", sums_three_hundred_repeats, "repeatTime 300"),
      VECTOR_FAULT("EK1201", sums_blocks_too_often, "repeatTime 256"),
      VECTOR_FAULT("EK1201", sums_pairs_too_often, "repeatTime 256"),
      VECTOR_FAULT("EK1202", adds_bfloat16, "does not exist for bfloat16_t"),
      VECTOR_FAULT("EK1202", exponentials_of_bytes, "does not exist for int8_t"),
      VECTOR_FAULT("EK1202", casts_float_to_bytes, "float to uint8_t"),
      VECTOR_FAULT("EK1203", widens_with_a_rounding_mode, "CAST_CEIL"),
      VECTOR_FAULT("EK1203", makes_integers_without_a_mode, "CAST_NONE"),
      VECTOR_FAULT("EK1203", narrows_to_bfloat16_without_a_mode, "CAST_NONE"),
      VECTOR_FAULT("EK1205", instruction_of_a_newer_header, "operation 5000"),
      VECTOR_FAULT("EK1205", instruction_without_operands, "0 operands"),
      VECTOR_FAULT("EK1205", instruction_with_nine_operands, "9 operands"),
      VECTOR_FAULT("EK1206", writes_one_block_over_and_over, "block stride is 0"),
      VECTOR_FAULT("EK1206", broadcasts_into_one_block, "block stride is 0"),
      VECTOR_FAULT("EK1206", adds_into_one_block, "block stride is 0"),
      VECTOR_FAULT("EK1207", compares_a_tail, "the count 100"),
      VECTOR_FAULT("EK1207", compares_half_a_repeat, "the count 64"),
      VECTOR_FAULT("EK1207", compares_a_tail_with_a_scalar, "the count 72"),
      VECTOR_FAULT("EK1208", gathers_by_element_numbers, "not a multiple of 4"),
      VECTOR_FAULT("EK1208", gathers_behind_the_source, "reaches behind the source"),
      VECTOR_FAULT("EK1208", gathers_halves_from_odd_bytes, "not a multiple of 2"),
      VECTOR_FAULT("EK1209", packs_by_pattern_nine, "pattern 9"),
      VECTOR_FAULT("EK1209", packs_by_pattern_zero, "pattern 0"),
      VECTOR_FAULT("EK1209", takes_a_mask_for_a_pattern, "pattern 170"),
      VECTOR_FAULT("EK1210", merges_the_first_and_third_list, "validBit 5"),
      VECTOR_FAULT("EK1210", merges_lists_that_are_too_long, "4096 pairs"),
      VECTOR_FAULT("EK1210", merges_two_lists_twice, "four lists"),
      VECTOR_FAULT("EK1211", compares_integers_by_size, "int32_t has no LT"),
      VECTOR_FAULT("EK1211", selects_by_an_unknown_mode, "SELMODE 7"),
      VECTOR_FAULT("EK1211", reduces_in_an_unknown_order, "ReduceOrder 9"),
      VECTOR_FAULT("EK1214", adds_minus_three_elements, "count -3"),
      VECTOR_FAULT("EK1214", scales_a_tail_that_is_not_there, "count -12"),
      VECTOR_FAULT("EK1214", fills_less_than_nothing, "count -128"),
      VECTOR_FAULT("EK1218", shifts_left_by_more_than_a_word, "scalar 33"),
      VECTOR_FAULT("EK1218", shifts_right_by_minus_one, "scalar -1"),
      VECTOR_FAULT("EK1218", shifts_a_half_word_away, "scalar 24"),
  };
}

}  // namespace faults
