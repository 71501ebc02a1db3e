// The tensor sharedTmpBuffer of ReduceSum, ReduceMax and ReduceMin, where the chip keeps what each
// iteration found, and then, round by round, what was found of that. (Pages "ReduceSum",
// "ReduceMax".)
#ifndef OPKIT_CORE_ISA_VECTOR_REDUCE_WORK_H_
#define OPKIT_CORE_ISA_VECTOR_REDUCE_WORK_H_

#include "opkit/core/isa/vector/call.h"

namespace opkit::core {

// The first extreme of some elements, and where it was.
struct Extreme {
  float value = 0;
  uint64_t index = 0;
  bool any = false;

  void offer(float v, uint64_t at, bool largest) {
    const bool better = largest ? v > value : v < value;
    if (!any || (value == value && (v != v || better))) *this = {v, at, true};
  }
};

// Returns the bits of a float rounded to half or float.
uint64_t bits_of(uint32_t dtype, float value);

class ReduceWork {
 public:
  enum class Holds : uint8_t {
    kNothing,  // the call leaves the tensor alone
    kSums,
    kExtremes,          // values and places; each round takes the place of the one before
    kExtremesInRounds,  // each round lies behind the one before: the places are followed back
  };
  struct Round {
    uint64_t at = 0, elements = 0;
  };

  // `whole` of the iterations are whole ones: the pages give room for those. The tensor is operand
  // 2 of the call.
  ReduceWork(const VectorCall& call, Holds holds, uint32_t per_repeat, uint32_t whole,
             uint32_t iterations);

  // Returns the bytes that the pages demand; 0: the tensor is not used.
  uint64_t bytes() const { return needed_ * size_; }
  // What the call writes of them.
  void add_to(Footprint& footprint, const VectorCall& call) const;
  // What iteration `n` found; one for which there is no room is left out.
  void keep_sum(uint32_t n, float sum) const {
    if (n < first_.elements) put(n, bits_of(dtype_, sum));
  }
  void keep(uint32_t n, const Extreme& found) const {
    if (2 * uint64_t{n} < first_.elements) put(2 * uint64_t{n}, found);
  }
  // The rounds behind the first one.
  void find_in_turn(bool largest) const;

 private:
  bool in_rounds() const { return holds_ == Holds::kExtremesInRounds; }
  uint64_t in_blocks(uint64_t elements) const;
  uint64_t room_of(Round round) const;
  bool is_last(Round round) const;
  Round behind(Round round) const;
  void put(uint64_t element, uint64_t bits) const;
  void put(uint64_t element, const Extreme& found) const;
  float value_at(uint64_t element) const;

  uint8_t* at_;
  Holds holds_;
  uint32_t dtype_, size_, per_repeat_;
  uint64_t needed_ = 0;
  Round first_;
};

}  // namespace opkit::core

#endif  // OPKIT_CORE_ISA_VECTOR_REDUCE_WORK_H_
