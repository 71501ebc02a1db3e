// What the generated unit of a template kernel needs: the combinations of its ASCENDC_TPL_*
// declarations in one column, and the types that dtype numbers stand for.
#ifndef OPKIT_INCLUDE_OPKIT_KERNEL_TEMPLATE_UNIT_H_
#define OPKIT_INCLUDE_OPKIT_KERNEL_TEMPLATE_UNIT_H_

#include <utility>

#include "opkit/include/ascendc/base.h"
#include "opkit_host/template_words.h"
#include "opkit_kernel/unit.h"

namespace opkit_kernel {

template <int64_t dtype>
struct TypeOf {
  static_assert(dtype < 0, "ASCENDC_TPL_DATATYPE: kernels here have no type for this dtype number");
};
#define OPKIT_TYPE_OF(number, cpp) \
  template <>                      \
  struct TypeOf<number> {          \
    using type = cpp;              \
  }
OPKIT_TYPE_OF(OPK_FLOAT32, float);
OPKIT_TYPE_OF(OPK_FLOAT16, half);
OPKIT_TYPE_OF(OPK_INT8, int8_t);
OPKIT_TYPE_OF(OPK_INT32, int32_t);
OPKIT_TYPE_OF(OPK_UINT8, uint8_t);
OPKIT_TYPE_OF(OPK_INT16, int16_t);
OPKIT_TYPE_OF(OPK_UINT16, uint16_t);
OPKIT_TYPE_OF(OPK_UINT32, uint32_t);
OPKIT_TYPE_OF(OPK_INT64, int64_t);
OPKIT_TYPE_OF(OPK_UINT64, uint64_t);
OPKIT_TYPE_OF(OPK_FLOAT64, double);
OPKIT_TYPE_OF(OPK_BOOL, bool);
OPKIT_TYPE_OF(OPK_BFLOAT16, bfloat16_t);
OPKIT_TYPE_OF(OPK_INT4, int4b_t);
#undef OPKIT_TYPE_OF

template <int64_t dtype>
using type_of = typename TypeOf<dtype>::type;

constexpr size_t parameters_in(::opkit_host::TemplateSpan declaration) {
  return declaration.headers(::opkit_host::TemplateWord::kParameter);
}
constexpr bool is_type(::opkit_host::TemplateSpan declaration, size_t place) {
  const auto parameter = declaration.at(::opkit_host::TemplateWord::kParameter, place);
  return parameter.count != 0 && parameter.words[0].form == ::opkit_host::TemplateForm::kType;
}

// Tells whether every combination has a key.
template <typename Rows>
constexpr bool all_encoded(const Rows& rows) {
  for (size_t i = 0; i < Rows::count; ++i) {
    if (rows.rows[i].key == UINT64_MAX) return false;
  }
  return true;
}

template <size_t N>
struct Table {
  Row rows[N == 0 ? 1 : N];
};

// Entries::run<I> is the entry of combination I; only those that this kind of core runs are made.
template <typename Entries, size_t I, int32_t default_type, opk_core_kind kind>
constexpr Row template_row() {
  constexpr auto& said = Entries::rows.rows[I];
  constexpr int32_t type = said.task_type < 0 ? default_type : static_cast<int32_t>(said.task_type);
  if constexpr (runs_on(kind, type)) {
    return {said.key, type, &Entries::template run<I>};
  } else {
    return {said.key, type, nullptr};
  }
}

template <typename Entries, int32_t default_type, opk_core_kind kind, size_t... I>
constexpr Table<sizeof...(I)> table_of(std::index_sequence<I...>) {
  return {{template_row<Entries, I, default_type, kind>()...}};
}

}  // namespace opkit_kernel

#endif  // OPKIT_INCLUDE_OPKIT_KERNEL_TEMPLATE_UNIT_H_
