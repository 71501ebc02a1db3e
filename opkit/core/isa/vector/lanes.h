// Which elements of the iterations take part, and where an operand's iterations lie.
// (Vendor's pages "掩码操作", "高维切分", "SetVectorMask".)
#ifndef OPKIT_CORE_ISA_VECTOR_LANES_H_
#define OPKIT_CORE_ISA_VECTOR_LANES_H_

#include "opkit/core/isa/vector/call.h"

namespace opkit::core {

// The elements of one iteration that take part; bit i = element i.
struct Mask {
  uint64_t word[2] = {0, 0};

  static Mask first(uint32_t n) {
    Mask m;
    m.word[0] = n >= 64 ? ~uint64_t{0} : (uint64_t{1} << n) - 1;
    m.word[1] = n >= 128 ? ~uint64_t{0} : n > 64 ? (uint64_t{1} << (n - 64)) - 1 : 0;
    return m;
  }
  bool test(uint32_t i) const { return word[i / 64] >> (i % 64) & 1; }
  bool none() const { return (word[0] | word[1]) == 0; }
  bool any_in(uint32_t first, uint32_t n) const;
  // Returns one more than the highest element that takes part.
  uint32_t end() const {
    return word[1]   ? 128 - static_cast<uint32_t>(__builtin_clzll(word[1]))
           : word[0] ? 64 - static_cast<uint32_t>(__builtin_clzll(word[0]))
                     : 0;
  }
  bool is_prefix() const {
    const Mask m = first(end());
    return m.word[0] == word[0] && m.word[1] == word[1];
  }
  bool is_full(uint32_t n) const { return end() == n && is_prefix(); }
  Mask and_first(uint32_t n) const {
    const Mask m = first(n);
    Mask result;
    result.word[0] = word[0] & m.word[0];
    result.word[1] = word[1] & m.word[1];
    return result;
  }
};

// Calls f(first, count) for every run of elements that take part.
template <typename F>
void for_each_run_of(const Mask& mask, F&& f) {
  for (uint32_t w = 0; w < 2; ++w) {
    for (uint64_t bits = mask.word[w], at = 0; bits;) {
      const auto skip = static_cast<uint64_t>(__builtin_ctzll(bits));
      bits >>= skip;
      at += skip;
      const auto run = ~bits ? static_cast<uint64_t>(__builtin_ctzll(~bits)) : uint64_t{64};
      f(static_cast<uint32_t>(64 * w + at), static_cast<uint32_t>(run));
      bits = run == 64 ? 0 : bits >> run;
      at += run;
    }
  }
}

// The iterations of an instruction: all under `mask`, the last one under `last`.
struct Lanes {
  uint32_t repeats = 0;
  uint32_t per_repeat = 0;  // elements that an iteration has room for
  Mask mask, last;

  const Mask& of(uint32_t r) const { return r + 1 == repeats ? last : mask; }
};

// Iterations of ReduceSum, ReduceMax and ReduceMin by a mask.
inline constexpr uint32_t kMostReduced = 65534;

// False: refused. per_repeat: elements of an iteration. The count form is given as full iterations
// and a prefix. An instruction without effect has repeats = 0.
bool lanes_of(const VectorCall& call, uint32_t per_repeat, Lanes& lanes);

// Where an operand's elements lie: block b of iteration r at r*repeat_step + b*block_step bytes.
struct Side {
  uint8_t* base = nullptr;
  uint32_t bits = 0;       // is the size of an element
  uint32_t per_block = 0;  // elements in 32 bytes
  uint32_t block_step = 0, repeat_step = 0;

  uint8_t* at(uint32_t r) const { return base + uint64_t{r} * repeat_step; }
  uint64_t bytes(uint64_t n) const { return n * bits / 8; }
  // The first n elements of an iteration lie one after the other.
  bool dense(uint32_t n) const { return block_step == kBlockBytes || n <= per_block; }
  // Returns the bytes from the base to behind the last byte touched.
  uint64_t extent(const Lanes& lanes) const;
};

// Whole blocks of an operand's iterations: the first `blocks` of each.
struct SideBlocks {
  const Side& side;
  uint32_t blocks;

  uint32_t bytes() const { return blocks * kBlockBytes; }  // counts the bytes of an iteration
  // Tells whether the elements lie one behind the other.
  bool dense() const {
    return (side.block_step == kBlockBytes || blocks == 1) && side.repeat_step == bytes();
  }
  // No two of so many iterations are the same memory, nor in part.
  bool apart(uint32_t repeats) const;
  // Returns the bytes from the base to behind the last block of so many iterations.
  uint64_t extent(uint32_t repeats) const;
  // `repeats` iterations from r on, densely: in place or in `room`.
  const uint8_t* gather(uint32_t r, uint32_t repeats, uint8_t* room) const;
  void scatter(uint32_t r, uint32_t repeats, const uint8_t* room) const;
};

// Returns the side of an operand. count form: contiguous.
Side side_of(const VectorCall& call, unsigned operand, uint32_t per_repeat);

// Adds what the iterations touch of an operand.
void add_accesses(Footprint& footprint, const VectorCall& call, unsigned operand, const Side& side,
                  const Lanes& lanes, bool write);

// Gathers the first n elements of iteration r; returns where they lie densely (in place or in
// `room`, 256 bytes and more).
const uint8_t* gather_repeat(const Side& side, uint32_t r, uint32_t n, uint8_t* room);
// Writes the elements of `mask` of iteration r from a dense row.
void scatter_repeat(const Side& side, uint32_t r, const Mask& mask, const uint8_t* row);

}  // namespace opkit::core

#endif  // OPKIT_CORE_ISA_VECTOR_LANES_H_
