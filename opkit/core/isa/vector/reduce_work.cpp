#include "opkit/core/isa/vector/reduce_work.h"

#include <algorithm>
#include <cstring>

#include "opkit/abi/num/half.h"

namespace opkit::core {

uint64_t bits_of(uint32_t dtype, float value) {
  if (dtype == OPK_FLOAT16) return Half(value).bits;
  uint32_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}

ReduceWork::ReduceWork(const VectorCall& call, Holds holds, uint32_t per_repeat, uint32_t whole,
                       uint32_t iterations)
    : at_(call.address(2)),
      holds_(holds),
      dtype_(call.operand(1).dtype),
      size_(dtype_bytes(dtype_)),
      per_repeat_(per_repeat) {
  if (holds == Holds::kNothing) return;
  const uint64_t each = holds == Holds::kSums ? 1 : 2;
  const uint64_t first = holds == Holds::kSums ? std::max(whole, 1u) : each * whole;
  needed_ = room_of({0, first});
  first_.elements = std::min(each * iterations, in_blocks(first));
}

uint64_t ReduceWork::in_blocks(uint64_t elements) const {
  const uint64_t block = kBlockBytes / size_;
  return (elements + block - 1) / block * block;
}

// A second round there always is where places are followed back.
bool ReduceWork::is_last(Round round) const {
  return round.elements == 0 || (round.elements <= 2 && (!in_rounds() || round.at > 0));
}

ReduceWork::Round ReduceWork::behind(Round round) const {
  const uint64_t groups = (round.elements + per_repeat_ - 1) / per_repeat_;
  return {in_rounds() ? round.at + in_blocks(round.elements) : 0, 2 * groups};
}

uint64_t ReduceWork::room_of(Round round) const {
  while (in_rounds() && !is_last(round)) round = behind(round);
  return round.at + in_blocks(round.elements);
}

void ReduceWork::add_to(Footprint& footprint, const VectorCall& call) const {
  if (first_.elements == 0) return;
  Round round = first_;
  for (;; round = behind(round)) {
    Access access = run_of(call, 2, round.elements * size_, true);
    access.address += round.at * size_;
    footprint.add(access);
    if (!in_rounds() || is_last(round)) return;
  }
}

void ReduceWork::put(uint64_t element, uint64_t bits) const {
  std::memcpy(at_ + element * size_, &bits, size_);
}

void ReduceWork::put(uint64_t element, const Extreme& found) const {
  put(element, bits_of(dtype_, found.value));
  put(element + 1, found.index);
}

float ReduceWork::value_at(uint64_t element) const {
  uint32_t bits = 0;
  std::memcpy(&bits, at_ + element * size_, size_);
  if (dtype_ == OPK_FLOAT16) return num_detail::half_bits_to_float(static_cast<uint16_t>(bits));
  float value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

void ReduceWork::find_in_turn(bool largest) const {
  for (Round round = first_, next; !is_last(round); round = next) {
    next = behind(round);
    for (uint64_t first = 0; first < round.elements; first += per_repeat_) {
      const uint64_t end = std::min(round.elements, first + per_repeat_);
      Extreme found;
      for (uint64_t i = first; i < end; i += 2)
        found.offer(value_at(round.at + i), i - first, largest);
      put(next.at + first / per_repeat_ * 2, found);
    }
  }
}

}  // namespace opkit::core
