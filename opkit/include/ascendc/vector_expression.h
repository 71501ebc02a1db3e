// Expressions of tensors: dst = a + b means Add(dst, a, b, dst.GetSize()); comparisons write bits.
// (Page "LocalTensor", operators.)
#ifndef OPKIT_INCLUDE_ASCENDC_VECTOR_EXPRESSION_H_
#define OPKIT_INCLUDE_ASCENDC_VECTOR_EXPRESSION_H_

#include "opkit/include/ascendc/vector_compare.h"
#include "opkit/include/ascendc/vector_regular.h"

namespace AscendC {
namespace detail {

template <typename T, opk_vector_op op>
struct BinaryExpression {
  const LocalTensor<T>& left;
  const LocalTensor<T>& right;

  template <typename D>
  void evaluate(const LocalTensor<D>& dst) const {
    static_assert(std::is_same<D, T>::value, "an expression's tensors have one element type");
    if constexpr (op == OPK_V_AND || op == OPK_V_OR)
      bitwise(op, dst, left, right, dst.GetLength() / 2);
    else
      binary(op, dst, left, right, dst.GetSize());
  }
};

template <typename T, CMPMODE mode>
struct CompareExpression {
  const LocalTensor<T>& left;
  const LocalTensor<T>& right;

  template <typename D>
  void evaluate(const LocalTensor<D>& dst) const {
    Compare(dst, left, right, mode, left.GetSize());
  }
};

}  // namespace detail

#define OPKIT_EXPRESSION(symbol, OP)                                                    \
  template <typename T>                                                                 \
  inline detail::BinaryExpression<T, OP> operator symbol(const LocalTensor<T>& left,    \
                                                         const LocalTensor<T>& right) { \
    return {left, right};                                                               \
  }
OPKIT_EXPRESSION(+, OPK_V_ADD)
OPKIT_EXPRESSION(-, OPK_V_SUB)
OPKIT_EXPRESSION(*, OPK_V_MUL)
OPKIT_EXPRESSION(/, OPK_V_DIV)
OPKIT_EXPRESSION(|, OPK_V_OR)
OPKIT_EXPRESSION(&, OPK_V_AND)
#undef OPKIT_EXPRESSION

#define OPKIT_COMPARISON(symbol, mode)                                \
  template <typename T>                                               \
  inline detail::CompareExpression<T, CMPMODE::mode> operator symbol( \
      const LocalTensor<T>& left, const LocalTensor<T>& right) {      \
    return {left, right};                                             \
  }
OPKIT_COMPARISON(<, LT)
OPKIT_COMPARISON(>, GT)
OPKIT_COMPARISON(<=, LE)
OPKIT_COMPARISON(>=, GE)
OPKIT_COMPARISON(==, EQ)
OPKIT_COMPARISON(!=, NE)
#undef OPKIT_COMPARISON

}  // namespace AscendC

#endif  // OPKIT_INCLUDE_ASCENDC_VECTOR_EXPRESSION_H_
