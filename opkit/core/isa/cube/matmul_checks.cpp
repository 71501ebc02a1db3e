#include "opkit/core/isa/cube/matmul_checks.h"

#include "opkit/core/isa/arch.h"
#include "opkit/core/isa/cube/matrix.h"
#include "opkit/core/isa/cube/refusals.h"
#include "opkit/core/isa/cube/sparse_matrix.h"
#include "opkit/core/isa/gm_store.h"
#include "opkit/core/isa/operand.h"

namespace opkit::core {
namespace {

bool check_matrix(Core& core, const opk_matrix& m, uint32_t rows, uint32_t cols, const char* role,
                  const void* pc) {
  const StoredRectangle s = stored(m, rows, cols);
  if (m.nz ? s.row + s.rows > m.pitch : s.col + s.cols > m.pitch) {
    return refuse_matmul(core,
                         std::string("the ") + role + " needs " +
                             std::to_string(m.nz ? s.row + s.rows : s.col + s.cols) +
                             (m.nz ? " rows of a matrix of " : " columns of a matrix of ") +
                             std::to_string(m.pitch),
                         "check SetOrgShape, SetSingleShape, SetTail and the tiling", pc);
  }
  if (dtype_bits(m.data.dtype) < 8 && !m.nz && (m.pitch % 2 != 0 || s.col % 2 != 0))
    return refuse_matmul(core,
                         std::string("a row of the ") + role + " begins within a byte: rows of " +
                             std::to_string(m.pitch) + " int4b_t, from column " +
                             std::to_string(s.col) + " on",
                         "make the inner sizes of matrices of int4b_t, and their parts, even", pc);
  const uint64_t end = offset_of(m, s.row + s.rows - 1, s.col + s.cols - 1) + 1;
  return check_operand(core, m.data, matrix_bytes(m, end), 1, false, {"Matmul", role, pc});
}

}  // namespace

bool check_types(Core& core, const MatmulCall& x, const void* pc) {
  const uint32_t ab = x.a.data.dtype;
  const bool known = ab == x.b.data.dtype &&
                     (ab == OPK_FLOAT16 || ab == OPK_BFLOAT16 || ab == OPK_FLOAT32 || integers(x));
  if (!known)
    return refuse_matmul(core,
                         std::string("there is no product of ") + dtype_name(ab) + " and " +
                             dtype_name(x.b.data.dtype),
                         "use half, bfloat16_t, float, int8_t or int4b_t for both operands", pc);
  if (ab == OPK_INT4 && !has_everything(core))  // page "SetTensorA": A2 and A3 alone
    return refuse_matmul(core, "this chip's Matmul object takes no int4b_t",
                         "use int8_t, or Mmad with int4b_t where the chip has it", pc);
  if (!quant_fits(x.quant, x.c.dtype, integers(x) ? OPK_INT32 : OPK_FLOAT32))
    return refuse_matmul(
        core,
        std::string("a product of ") + dtype_name(ab) + " cannot be stored as " +
            dtype_name(x.c.dtype) + " this way",
        "set SetQuantScalar or SetQuantVector for int8_t results and dequantised half", pc);
  return true;
}

bool check_inputs(Core& core, const MatmulCall& x, const void* pc) {
  if ((!moves(x, kOwnA) && !check_matrix(core, x.a, x.m, x.k, "left matrix", pc)) ||
      (!moves(x, kOwnB) && !check_matrix(core, x.b, depth_of_b(x), x.n, "right matrix", pc)) ||
      (is_sparse(x) && !check_index(core, x, pc))) {
    return false;
  }
  if (!x.bias.address) return true;
  const bool fits = integers(x) ? x.bias.dtype == OPK_INT32 : x.bias.dtype != OPK_INT32;
  if (!fits)
    return refuse_matmul(
        core, "the bias has another kind of number than C",
        "use int32_t for products of int8_t and int4b_t and a float type otherwise", pc);
  return check_operand(core, x.bias, uint64_t{x.n} * dtype_bytes(x.bias.dtype), 1, false,
                       {"Matmul", "bias", pc});
}

bool check_output(Core& core, const MatmulCall& x, const BlockOfC& out, const void* pc) {
  if (is_vector_quant(x.quant) && !check_operand(core, x.quant_vector, uint64_t{x.n} * 8, 1, false,
                                                 {"Matmul", "quantisation tensor", pc}))
    return false;
  return check_atomic(core, x.c, "Matmul", pc) &&
         check_operand(core, x.c, dst_extent(out), 1, true, {"Matmul", "destination", pc});
}

}  // namespace opkit::core
