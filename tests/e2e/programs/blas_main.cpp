// Products by the names of the linear algebra subprograms, beside scalar code: blas_main
#include <cmath>

#include "acl/ops/acl_cblas.h"
#include "misuse.h"

namespace {

int right = 0;

// Sums of these are exact in float, and their products by small factors in float16.
std::vector<float> Numbers(int count, int seed) {
  std::vector<float> all(static_cast<size_t>(count));
  for (int i = 0; i < count; ++i)
    all[static_cast<size_t>(i)] = static_cast<float>((i * 7 + seed) % 5 - 2);
  return all;
}
std::vector<aclFloat16> Halves(const std::vector<float>& numbers) {
  std::vector<aclFloat16> all;
  for (const float number : numbers) all.push_back(aclFloatToFloat16(number));
  return all;
}
float Wide(float value) { return value; }
float Wide(aclFloat16 value) { return aclFloat16ToFloat(value); }

struct Shape {
  int m, n, k;
  bool turn_a, turn_b;
};

float Expected(const Shape& s, const std::vector<float>& a, const std::vector<float>& b, float c,
               float alpha, float beta, int row, int column) {
  float sum = 0;
  for (int i = 0; i < s.k; ++i) {
    const int at_a = s.turn_a ? i * s.m + row : row * s.k + i;
    const int at_b = s.turn_b ? column * s.k + i : i * s.n + column;
    sum += a[static_cast<size_t>(at_a)] * b[static_cast<size_t>(at_b)];
  }
  return alpha * sum + beta * c;
}

aclTransType Turn(bool turned) { return turned ? ACL_TRANS_T : ACL_TRANS_N; }

// c: of T, made and read back.
template <typename T>
void Product(const Shape& s, aclDataType type, std::vector<T> (*make)(const std::vector<float>&),
             aclrtStream stream) {
  const std::vector<float> a = Numbers(s.m * s.k, 1), b = Numbers(s.k * s.n, 2),
                           c = Numbers(s.m * s.n, 3);
  const DeviceArray<aclFloat16> on_a(Halves(a)), on_b(Halves(b));
  const DeviceArray<T> on_c(make(c)), alpha(make({0.5f})), beta(make({-2.0f}));
  Check(aclblasGemmEx(Turn(s.turn_a), Turn(s.turn_b), ACL_TRANS_N, s.m, s.n, s.k, alpha.Get(),
                      on_a.Get(), -1, ACL_FLOAT16, on_b.Get(), -1, ACL_FLOAT16, beta.Get(),
                      on_c.Get(), -1, type, ACL_COMPUTE_HIGH_PRECISION, stream),
        "aclblasGemmEx");
  Check(aclrtSynchronizeStream(stream), "aclrtSynchronizeStream");
  const std::vector<T> given = on_c.Read();
  for (int i = 0; i < s.m * s.n; ++i) {
    const auto at = static_cast<size_t>(i);
    const float wanted = Expected(s, a, b, c[at], 0.5f, -2.0f, i / s.n, i % s.n);
    if (Wide(given[at]) == wanted) continue;
    std::printf("%d x %d x %d: element %d is %g, not %g\n", s.m, s.n, s.k, i, Wide(given[at]),
                wanted);
    std::exit(5);
  }
  ++right;
}

std::vector<float> Same(const std::vector<float>& numbers) { return numbers; }

// y = A x + y by the call and by its handle; A lies as 5 x 9.
void Vector(bool turned, aclrtStream stream) {
  const int m = 5, n = 9, rows = turned ? n : m, sums = turned ? m : n;
  const std::vector<float> a = Numbers(m * n, 4), x = Numbers(sums, 5), y = Numbers(rows, 6);
  const DeviceArray<aclFloat16> on_a(Halves(a)), on_x(Halves(x)), one(Halves({1.0f}));
  const DeviceArray<aclFloat16> first(Halves(y)), second(Halves(y));
  Check(aclblasHgemv(
            Turn(turned), m, n, reinterpret_cast<aclFloat16*>(one.Get()),
            reinterpret_cast<aclFloat16*>(on_a.Get()), -1,
            reinterpret_cast<aclFloat16*>(on_x.Get()), -1, reinterpret_cast<aclFloat16*>(one.Get()),
            reinterpret_cast<aclFloat16*>(first.Get()), -1, ACL_COMPUTE_HIGH_PRECISION, stream),
        "aclblasHgemv");
  aclopHandle* handle = nullptr;
  Check(aclblasCreateHandleForHgemv(Turn(turned), m, n, ACL_COMPUTE_HIGH_PRECISION, &handle),
        "aclblasCreateHandleForHgemv");
  aclDataBuffer* const of_y = aclCreateDataBuffer(second.Get(), y.size() * 2);
  const aclDataBuffer* in[] = {
      aclCreateDataBuffer(on_a.Get(), a.size() * 2), aclCreateDataBuffer(on_x.Get(), x.size() * 2),
      of_y, aclCreateDataBuffer(one.Get(), 2), aclCreateDataBuffer(one.Get(), 2)};
  aclDataBuffer* out[] = {of_y};
  Check(aclopExecWithHandle(handle, 5, in, 1, out, stream), "aclopExecWithHandle");
  Check(aclrtSynchronizeStream(stream), "aclrtSynchronizeStream");
  for (const aclDataBuffer* buffer : in) aclDestroyDataBuffer(buffer);
  aclopDestroyHandle(handle);
  const Shape s{rows, 1, sums, turned, false};
  const std::vector<aclFloat16> one_way = first.Read(), other = second.Read();
  for (int i = 0; i < rows; ++i) {
    const auto at = static_cast<size_t>(i);
    const float wanted = Expected(s, a, x, y[at], 1, 1, i, 0);
    if (Wide(one_way[at]) == wanted && Wide(other[at]) == wanted) continue;
    std::printf("vector: element %d is %g and %g, not %g\n", i, Wide(one_way[at]), Wide(other[at]),
                wanted);
    std::exit(6);
  }
  ++right;
}

void Converts(aclrtStream stream) {
  const std::vector<float> numbers = Numbers(100, 1);
  const DeviceArray<float> in(numbers);
  const DeviceArray<aclFloat16> out(std::vector<aclFloat16>(100));
  const int64_t dims[] = {100};
  aclTensorDesc* const from = aclCreateTensorDesc(ACL_FLOAT, 1, dims, ACL_FORMAT_ND);
  aclTensorDesc* const to = aclCreateTensorDesc(ACL_FLOAT16, 1, dims, ACL_FORMAT_ND);
  aclDataBuffer* const read = aclCreateDataBuffer(in.Get(), 400);
  aclDataBuffer* const written = aclCreateDataBuffer(out.Get(), 200);
  Check(aclopCast(from, read, to, written, 0, stream), "aclopCast");
  aclopHandle* handle = nullptr;
  Check(aclopCreateHandleForCast(from, to, 0, &handle), "aclopCreateHandleForCast");
  aclopDestroyHandle(handle);
  Check(aclrtSynchronizeStream(stream), "aclrtSynchronizeStream");
  const std::vector<aclFloat16> halves = out.Read();
  for (size_t i = 0; i < 100; ++i) Check(Wide(halves[i]) == numbers[i] ? 0 : 1, "aclopCast");
  ++right;
  for (aclDataBuffer* buffer : {read, written}) aclDestroyDataBuffer(buffer);
  for (aclTensorDesc* desc : {from, to}) aclDestroyTensorDesc(desc);
}

void Refusals(aclrtStream stream) {
  const DeviceArray<aclFloat16> memory(std::vector<aclFloat16>(64));
  void* const at = memory.Get();
  const auto gemm = [&](aclTransType a, aclTransType c, int m, int lda, aclDataType type,
                        aclComputeType compute, const void* alpha) {
    return aclblasGemmEx(a, ACL_TRANS_N, c, m, 4, 4, alpha, at, lda, type, at, -1, type, at, at, -1,
                         type, compute, stream);
  };
  const auto high = ACL_COMPUTE_HIGH_PRECISION;
  Refused("lda", gemm(ACL_TRANS_N, ACL_TRANS_N, 4, 4, ACL_FLOAT16, high, at), 100000, "must be -1");
  Refused("m", gemm(ACL_TRANS_N, ACL_TRANS_N, 0, -1, ACL_FLOAT16, high, at), 100000, "0 x 4");
  Refused("nz", gemm(ACL_TRANS_NZ, ACL_TRANS_N, 4, -1, ACL_FLOAT16, high, at), 200001,
          "ACL_TRANS_T");
  Refused("c", gemm(ACL_TRANS_N, ACL_TRANS_T, 4, -1, ACL_FLOAT16, high, at), 100000, "transC");
  Refused("low", gemm(ACL_TRANS_N, ACL_TRANS_N, 4, -1, ACL_FLOAT16, ACL_COMPUTE_LOW_PRECISION, at),
          200001, "HIGH_PRECISION");
  Refused("int8", gemm(ACL_TRANS_N, ACL_TRANS_N, 4, -1, ACL_INT8, high, at), 100021, "int8");
  const aclFloat16 here = aclFloatToFloat16(1);
  Refused("alpha", gemm(ACL_TRANS_N, ACL_TRANS_N, 4, -1, ACL_FLOAT16, high, &here), 107000,
          "device memory");
  aclopHandle* handle = nullptr;
  Refused(
      "handle",
      aclblasCreateHandleForS8gemm(ACL_TRANS_N, ACL_TRANS_N, ACL_TRANS_N, 4, 4, 4, high, &handle),
      100021, "int8");
}

}  // namespace

int main() {
  const Session session;
  for (const Shape& shape : {Shape{16, 16, 16, false, false}, Shape{1, 1, 1, false, false},
                             Shape{33, 47, 17, true, false}, Shape{7, 130, 65, false, true},
                             Shape{200, 250, 100, true, true}}) {
    Product<aclFloat16>(shape, ACL_FLOAT16, Halves, session.stream);
    Product<float>(shape, ACL_FLOAT, Same, session.stream);
  }
  for (const bool turned : {false, true}) Vector(turned, session.stream);
  Converts(session.stream);
  Refusals(session.stream);
  std::printf("%d right, %d misuses\n", right, misuses);
  return 0;
}
