// CubeCalls: what the cube unit does in a program: instructions as they were issued, each kind once
// for all steps that are alike. An operand is there when its `buffer` is not 0: its address is an
// offset in a local memory, or, in GM, the next of the step's places.
#ifndef OPKIT_CORE_REPLAY_CUBE_CALLS_H_
#define OPKIT_CORE_REPLAY_CUBE_CALLS_H_

#include <cstdint>
#include <vector>

#include "opkit/core/isa/cube/matmul_call.h"

namespace opkit::core {

struct CubeCalls {
  std::vector<opk_copy_v1> copies;
  std::vector<opk_load_v1> loads;
  std::vector<opk_mmad_v1> products;
  std::vector<opk_fixpipe_v1> stores;
  std::vector<MatmulCall> blocks;  // are of Matmul objects; owner counts from 1

  uint64_t bytes() const;  // counts what it takes
  void shrink_to_fit();
  bool operator==(const CubeCalls& other) const;
};

inline constexpr uint16_t kHasOperand = 1;

// Calls f(operand) for every operand that an instruction may have, in the order of its places.
template <typename F>
void for_each_operand(opk_copy_v1& c, F&& f) {
  f(c.dst), f(c.src);
}
template <typename F>
void for_each_operand(opk_load_v1& l, F&& f) {
  f(l.dst), f(l.src);
}
template <typename F>
void for_each_operand(opk_mmad_v1& m, F&& f) {
  f(m.c), f(m.a), f(m.b), f(m.bias);
}
template <typename F>
void for_each_operand(opk_fixpipe_v1& s, F&& f) {
  f(s.dst), f(s.src), f(s.quant_vector);
}
template <typename F>
void for_each_operand(MatmulCall& x, F&& f) {
  f(x.a.data), f(x.b.data), f(x.bias), f(x.c), f(x.quant_vector);
}

}  // namespace opkit::core

#endif  // OPKIT_CORE_REPLAY_CUBE_CALLS_H_
