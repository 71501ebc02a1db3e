#include "opkit/core/isa/cube/mmad_form.h"

#include "opkit/core/fractals/fractal.h"
#include "opkit/core/isa/element_type.h"

namespace opkit::core {
namespace {

uint32_t parts_of(uint32_t elements, uint32_t each) { return (elements + each - 1) / each; }

}  // namespace

MmadExtent extent_of(const opk_mmad_v1& x) {
  MmadExtent e{};
  e.c0 = 256 / dtype_bits(x.a.dtype);
  e.m16 = parts_of(x.m, kSide);
  e.n16 = parts_of(x.n, kSide);
  e.k_fractals = e.k_steps = parts_of(x.k, e.c0);
  if (x.a.dtype == OPK_FLOAT32 && x.k_layout == OPK_K_PADDED_16)
    e.k_fractals = parts_of(x.k, kSide) * 2;
  if (is_sparse(x)) e.k_steps = parts_of(parts_of(x.k, 2), e.c0);
  e.a = x.m == 1 && !is_sparse(x) ? (uint64_t{x.k} * dtype_bits(x.a.dtype) + 7) / 8
                                  : uint64_t{e.m16} * e.k_fractals * kFractal;
  e.b = uint64_t{e.k_steps} * e.n16 * kFractal;
  e.c = uint64_t{e.m16} * e.n16 * kSide * kSide * 4;
  return e;
}

}  // namespace opkit::core
