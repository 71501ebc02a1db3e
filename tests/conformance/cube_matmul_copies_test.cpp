// The Matmul object with copies of the author's (MatmulCallBackFunc), fetched without being asked
// again, from a workspace, into a block of the author's, and in triangles; against plain loops.
#include "opkit/include/lib/matmul_intf.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/conformance/cube_matrices.h"
#include "tests/conformance/matmul_tilings.h"

namespace opkit::core::test {
namespace {

using namespace AscendC;
using ::testing::HasSubstr;

TCubeTiling tiling;

template <typename T>
GlobalTensor<T> global(const void* data) {
  GlobalTensor<T> t;
  t.SetGlobalBuffer(static_cast<T*>(const_cast<void*>(data)));
  return t;
}

template <typename T, bool trans = false, CubeFormat format = CubeFormat::ND>
using In = MatmulType<TPosition::GM, format, T, trans>;
template <typename T = float, CubeFormat format = CubeFormat::ND>
using Out = MatmulType<TPosition::GM, format, T>;

// What the functions were told besides their operands.
struct Told {
  int m, n, k, base_m, base_n, base_k;
  uint64_t data;
  int copies[3];
};

// Rows of A lie twice as far apart as the object thinks, rows of B in the order that `data` holds.
template <typename T, bool turned>
void copy_rows(const LocalTensor<int8_t>& to, const T* from, int rows, int columns, int pitch) {
  constexpr int c0 = 32 / sizeof(T);
  Nd2NzParams p;
  p.ndNum = 1;
  p.nValue = static_cast<uint16_t>(rows);
  p.dValue = static_cast<uint16_t>(columns);
  p.srcDValue = static_cast<uint16_t>(pitch);
  p.dstNzC0Stride =
      static_cast<uint16_t>(up(static_cast<uint32_t>(rows), turned && c0 == 32 ? 32 : 16));
  p.dstNzNStride = 1;
  DataCopy(to.template ReinterpretCast<T>(), global<T>(from), p);
}

template <typename T, bool trans>
void copy_a(const LocalTensor<int8_t>& to, const __gm__ void* gm, int row, int col, int use_m,
            int use_k, const uint64_t tiling_ptr, const uint64_t data) {
  Told& told = *reinterpret_cast<Told*>(tiling_ptr);
  ++told.copies[0];
  EXPECT_EQ(data, told.data);
  EXPECT_EQ(use_m, std::min(told.base_m, told.m - row * told.base_m));
  EXPECT_EQ(use_k, std::min(told.base_k, told.k - col * told.base_k));
  const T* a = static_cast<const T*>(gm);
  const int pitch = 2 * (trans ? told.m : told.k);
  if (trans)
    copy_rows<T, true>(to, a + col * told.base_k * pitch + row * told.base_m, use_k, use_m, pitch);
  else
    copy_rows<T, false>(to, a + row * told.base_m * pitch + col * told.base_k, use_m, use_k, pitch);
}

template <typename T, bool trans>
void copy_b(const LocalTensor<int8_t>& to, const __gm__ void* gm, int row, int col, int use_k,
            int use_n, const uint64_t tiling_ptr, const uint64_t) {
  Told& told = *reinterpret_cast<Told*>(tiling_ptr);
  ++told.copies[1];
  EXPECT_EQ(use_k, std::min(told.base_k, told.k - row * told.base_k));
  EXPECT_EQ(use_n, std::min(told.base_n, told.n - col * told.base_n));
  const T* b = static_cast<const T*>(gm);
  const int pitch = trans ? told.k : told.n;
  if (trans)
    copy_rows<T, false>(to, b + col * told.base_n * pitch + row * told.base_k, use_n, use_k, pitch);
  else
    copy_rows<T, true>(to, b + row * told.base_k * pitch + col * told.base_n, use_k, use_n, pitch);
}

// Every row of C into every second row of the output, as half.
template <typename C, typename L0C>
void copy_out(const __gm__ void* gm, const LocalTensor<int8_t>& co1, const void* params,
              const uint64_t tiling_ptr, const uint64_t) {
  Told& told = *reinterpret_cast<Told*>(tiling_ptr);
  ++told.copies[2];
  const auto& p = *static_cast<const DataCopyOutParams*>(params);
  const uint16_t rows = static_cast<uint16_t>(p.burstLen / 2);
  EXPECT_EQ(p.cBurstNum, (p.oriNSize + 15) / 16);
  EXPECT_EQ(p.srcStride, (up(rows, 16) - rows) * 2);
  EXPECT_EQ(p.dstStride, static_cast<uint32_t>(told.n));
  FixpipeParamsV220 f;
  f.nSize = p.oriNSize;
  f.mSize = rows;
  f.srcStride = static_cast<uint16_t>(up(rows, 16));
  f.dstStride = 2 * p.dstStride;
  if (std::is_same<C, half>::value) f.quantPre = QuantMode_t::F322F16;
  const auto start = reinterpret_cast<const C*>(told.data);
  const auto* block = static_cast<const C*>(gm);
  const auto offset = block - start;
  Fixpipe<C, L0C, CFG_ROW_MAJOR>(global<C>(start + offset / told.n * 2 * told.n + offset % told.n),
                                 co1.template ReinterpretCast<L0C>(), f);
}

bool with_bias = false;

template <class Callbacks, typename T, typename C, bool ta, bool tb>
void with_copies(void* const* args) {
  TPipe pipe;
  Matmul<In<T, ta>, In<T, tb>, Out<C>, Out<float>, CFG_NORM, Callbacks> mm;
  REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), mm, &tiling);
  Told* told = static_cast<Told*>(args[4]);
  told->data = reinterpret_cast<uint64_t>(args[2]);
  mm.SetUserDefInfo(reinterpret_cast<uint64_t>(told));
  mm.SetSelfDefineData(told->data);
  mm.SetTensorA(global<T>(args[0]), ta);
  mm.SetTensorB(global<T>(args[1]), tb);
  if (with_bias) mm.SetBias(global<float>(args[3]));
  mm.IterateAll(global<C>(args[2]));
  mm.End();
}

template <typename T>
std::vector<T> turned(const std::vector<T>& v, uint32_t rows, uint32_t columns) {
  std::vector<T> out(v.size());
  for (uint32_t r = 0; r < rows; ++r)
    for (uint32_t c = 0; c < columns; ++c) out[c * rows + r] = v[r * columns + c];
  return out;
}
template <typename T>
std::vector<T> spread(const std::vector<T>& v, uint32_t columns) {
  std::vector<T> out(2 * v.size(), T(7));
  for (size_t i = 0; i < v.size(); ++i) out[i / columns * 2 * columns + i % columns] = v[i];
  return out;
}

constexpr uint32_t kM = 75, kN = 53, kK = 84;

// own: bits 1 A, 2 B, 4 C.
template <class Callbacks, typename T, typename C, bool ta = false, bool tb = false>
void compare(int32_t task_type = OPK_TASK_AIV_ONLY) {
  constexpr int own = Callbacks::kOwn;
  const int bases[][3] = {{32, 32, 32}, {16, 48, 64}, {96, 64, 96}};
  for (const auto& base : bases) {
    for (const bool bias : {false, true}) {
      tiling = tiling_of(kM, kN, kK, {base[0], base[1], base[2]});
      with_bias = bias && !std::is_integral_v<T>;
      tiling.isBias = with_bias;
      const auto a = noise<T>(kM * kK, 1), b = noise<T>(kK * kN, 2);
      auto biases = noise<float>(kN, 3);
      auto stored_a = ta ? turned(a, kM, kK) : a, stored_b = tb ? turned(b, kK, kN) : b;
      if (own & 1) stored_a = spread(stored_a, ta ? kM : kK);
      std::vector<C> c(kM * kN * 2, C(-3));
      Told told{kM, kN, kK, base[0], base[1], base[2], 0, {0, 0, 0}};
      LaunchSetup setup;
      setup.task_type = task_type;
      const LaunchReport report = run<with_copies<Callbacks, T, C, ta, tb>>(
          {stored_a.data(), stored_b.data(), c.data(), biases.data(), &told}, setup);
      ASSERT_TRUE(report.ok()) << report.faults[0].code << report.faults[0].message;
      using Sum = std::conditional_t<std::is_integral_v<T>, int32_t, float>;
      std::vector<Sum> start;
      if (with_bias) start.assign(biases.begin(), biases.end());
      const auto expected = product<Sum>(a, b, kM, kN, kK, start);
      const uint32_t pitch = own & 4 ? 2 * kN : kN;
      for (uint32_t i = 0; i < kM; ++i)
        for (uint32_t j = 0; j < kN; ++j)
          ASSERT_EQ(static_cast<float>(c[i * pitch + j]),
                    static_cast<float>(static_cast<C>(expected[i * kN + j])))
              << i << " " << j << " " << base[0];
      const int blocks =
          static_cast<int>((kM + base[0] - 1) / base[0] * ((kN + base[1] - 1) / base[1]));
      const int steps = static_cast<int>((kK + base[2] - 1) / base[2]);
      const int per_run = blocks * (own & 4 ? 1 : 0);
      EXPECT_EQ(told.copies[2] % std::max(blocks, 1), 0);
      EXPECT_GE(told.copies[2], per_run);
      EXPECT_EQ(told.copies[0] > 0, (own & 1) != 0);
      EXPECT_EQ(told.copies[1] % (blocks * steps), 0);
    }
  }
}

template <typename T, bool ta = false>
using OwnA = MatmulCallBackFunc<nullptr, copy_a<T, ta>, nullptr>;
template <typename T, bool tb = false>
using OwnB = MatmulCallBackFunc<nullptr, nullptr, copy_b<T, tb>>;
template <typename T, typename C, typename L0C, bool ta = false, bool tb = false>
using OwnAll = MatmulCallBackFunc<copy_out<C, L0C>, copy_a<T, ta>, copy_b<T, tb>>;

TEST(MatmulCopies, OfTheLeftMatrix) {
  compare<OwnA<half>, half, float>();
  compare<OwnA<half, true>, half, float, true, false>();
  compare<OwnA<float>, float, float>();
  compare<OwnA<int8_t, true>, int8_t, int32_t, true, true>();
}
TEST(MatmulCopies, OfTheRightMatrix) {
  compare<OwnB<half>, half, float>();
  compare<OwnB<bfloat16_t, true>, bfloat16_t, float, false, true>();
  compare<OwnB<int8_t>, int8_t, int32_t>();
}
TEST(MatmulCopies, OfTheResult) {
  compare<MatmulCallBackFunc<copy_out<half, float>>, half, half>();
  compare<MatmulCallBackFunc<copy_out<int32_t, int32_t>>, int8_t, int32_t>();
}
TEST(MatmulCopies, OfAllThree) {
  compare<OwnAll<half, float, float>, half, float>();
  compare<OwnAll<float, float, float, true, true>, float, float, true, true>();
}

// In a mixed launch the vector cores call, and the memories are lent to each of them.
TEST(MatmulCopies, ForVectorCoresOfMixedLaunches) {
  compare<OwnAll<half, float, float>, half, float>(OPK_TASK_MIX_1_1);
}

// L1 and L0C are there only while a function of the author's runs, and faults name what happened.
void reach_behind_a(const LocalTensor<int8_t>& to, const __gm__ void* gm, int, int, int, int,
                    const uint64_t, const uint64_t) {
  DataCopy(to, global<int8_t>(static_cast<const uint8_t*>(gm) + 512 - 32), 64);
}
void outside(const LocalTensor<int8_t>& to, const __gm__ void* gm, int, int, int, int,
             const uint64_t, const uint64_t data) {
  *reinterpret_cast<LocalTensor<int8_t>*>(data) = to;
  DataCopy(to, global<int8_t>(gm), 512);
}
template <void (*copy)(const LocalTensor<int8_t>&, const void*, int, int, int, int, uint64_t,
                       uint64_t)>
void misuse(void* const* args) {
  Matmul<In<half>, In<half>, Out<>, Out<>, CFG_NORM, MatmulCallBackFunc<nullptr, copy>> mm;
  mm.Init(&tiling);
  LocalTensor<int8_t> kept;
  mm.SetSelfDefineData(reinterpret_cast<uint64_t>(&kept));
  mm.SetTensorA(global<half>(args[0]));
  mm.SetTensorB(global<half>(args[1]));
  mm.Iterate();
  DataCopy(kept, global<int8_t>(args[0]), 32);
}
template <KernelBody body>
Fault refused() {
  std::vector<half> a(256), b(256);
  std::vector<float> c(256);
  LaunchSetup setup;
  setup.gm = {{reinterpret_cast<uint8_t*>(a.data()), 512, "a", false},
              {reinterpret_cast<uint8_t*>(b.data()), 512, "b", false},
              {reinterpret_cast<uint8_t*>(c.data()), 1024, "c", true}};
  const LaunchReport report = run<body>({a.data(), b.data(), c.data()}, setup);
  return report.faults.empty() ? Fault{} : report.faults[0];
}
TEST(MatmulCopies, RefusesAccessesOutsideTheirMemories) {
  tiling = tiling_of(16, 16, 16, {16, 16, 16});
  const Fault behind = refused<misuse<reach_behind_a>>();
  EXPECT_EQ(behind.code, "EK1004");
  EXPECT_THAT(behind.message, HasSubstr("GM tensor 'a'"));
  const Fault later = refused<misuse<outside>>();
  EXPECT_EQ(later.code, "EK1005");
  EXPECT_THAT(later.message, HasSubstr("L1, which this core does not have"));
}

using Plain = Matmul<In<half>, In<half>, Out<>>;

// args: A, B, C, workspace.
void asynchronously(void* const* args) {
  Plain mm;
  mm.Init(&tiling);
  mm.SetTensorA(global<half>(args[0]));
  mm.SetTensorB(global<half>(args[1]));
  mm.Iterate<false>();
  for (int i = 0; i < 6; ++i) mm.GetTensorC<false>(global<float>(args[2]));
  mm.End();
}
void by_workspace(void* const* args) {
  Plain mm;
  mm.Init(&tiling);
  GlobalTensor<float> workspace = global<float>(args[3]);
  mm.SetWorkspace(workspace);
  mm.SetTensorA(global<half>(args[0]));
  mm.SetTensorB(global<half>(args[1]));
  mm.Iterate<false>();
  auto* c = static_cast<float*>(args[2]);
  for (int i = 0; i < 6; ++i) {
    const GlobalTensor<float> block = mm.GetTensorC<false>();
    EXPECT_EQ(block.GetPhyAddr(), static_cast<float*>(args[3]) + i * 16 * 32);
    const int row = i % 3 * 16, column = i / 3 * 32;
    for (int r = 0; r < std::min(16, 40 - row); ++r)
      for (int j = 0; j < std::min(32, 50 - column); ++j)
        c[(row + r) * 50 + column + j] = block.GetValue(static_cast<uint64_t>(r * 32 + j));
  }
}
void to_both(void* const* args) {
  Matmul<In<half>, In<half>, MatmulType<TPosition::VECIN, CubeFormat::ND, float>> mm;
  mm.Init(&tiling);
  mm.SetTensorA(global<half>(args[0]));
  mm.SetTensorB(global<half>(args[1]));
  // Blocks that are not in sequence go to their places in 40 x 50 (page "GetTensorC").
  const LocalTensor<float> local(TPosition::VECIN, 0, 40 * 50), again(TPosition::VECIN, 8192, 2000);
  mm.Iterate<false>();
  mm.GetTensorC(global<float>(args[2]), local);
  for (int i = 1; i < 5; ++i) mm.GetTensorC<false>(global<float>(args[2]));
  mm.AsyncGetTensorC(again);
  mm.WaitGetTensorC();
  auto* c = static_cast<float*>(args[2]);
  EXPECT_EQ(local.GetValue(51), c[50 + 1]);
  for (int i = 0; i < 8 * 18; ++i) {  // the last block
    const int at = (32 + i / 18) * 50 + 32 + i % 18;
    c[at] = again.GetValue(static_cast<uint64_t>(at));
  }
}
template <KernelBody body>
void check_fetching() {
  tiling = tiling_of(40, 50, 24, {16, 32, 16});
  auto a = noise<half>(40 * 24, 1), b = noise<half>(24 * 50, 2);
  std::vector<float> c(40 * 50, -1.0f), workspace(6 * 16 * 32);
  const LaunchReport report = run<body>({a.data(), b.data(), c.data(), workspace.data()});
  for (const Fault& f : report.faults) ADD_FAILURE() << f.code << f.message;
  EXPECT_EQ(c, product<float>(a, b, 40, 50, 24));
}
TEST(MatmulCopies, FetchesBlocksAfterOneIterate) {
  check_fetching<asynchronously>();
  check_fetching<by_workspace>();
}
TEST(MatmulCopies, FetchesIntoGmAndLocalMemory) { check_fetching<to_both>(); }

template <int step>
void out_of_order(void* const* args) {
  static constexpr MatmulConfig kBatches = [] {
    MatmulConfig c = CFG_NORM;
    c.isNBatch = true;
    return c;
  }();
  Matmul<In<half>, In<half>, Out<>, Out<>, kBatches> mm;
  mm.Init(&tiling);
  mm.SetTensorA(global<half>(args[0]));
  mm.SetTensorB(global<half>(args[1]));
  if (step == 0) {
    mm.template Iterate<false>();
    mm.template GetTensorC<false>();
  } else if (step == 1) {
    mm.template GetBatchTensorC<false>(1, 1);
  } else {
    mm.template Iterate<false>();
    for (int i = 0; i < 2; ++i) mm.template GetTensorC<false>(global<float>(args[2]));
  }
}
TEST(MatmulCopies, RefusesFetchesOutOfOrder) {
  tiling = tiling_of(16, 16, 16, {16, 16, 16});
  const Fault workspace = refused<out_of_order<0>>();
  EXPECT_EQ(workspace.code, "EK1722");
  EXPECT_EQ(workspace.message, "Matmul: there is no workspace for blocks without a tensor");
  const Fault batch = refused<out_of_order<1>>();
  EXPECT_EQ(batch.code, "EK1723");
  EXPECT_EQ(batch.message, "GetBatchTensorC: there is no batch of these numbers left");
  const Fault block = refused<out_of_order<2>>();
  EXPECT_EQ(block.code, "EK1721");
  EXPECT_EQ(block.message, "GetTensorC: all blocks have been fetched");
}

// Three products with one A each and one shared B, in two loops; the results from the workspace,
// from the object, and in UB.
constexpr uint32_t kSide = 24, kLoops = 2, kEach = 3, kMatrix = kSide * kSide;
constexpr MatmulConfig kManyBatches = [] {
  MatmulConfig c = CFG_NORM;
  c.isNBatch = true;
  return c;
}();
template <int how>
void many_batches(void* const* args) {
  Matmul<In<half>, In<half>, Out<>, Out<>, kManyBatches> mm;
  mm.Init(&tiling);
  GlobalTensor<float> workspace = global<float>(args[how == 0 ? 2 : 3]);
  mm.SetWorkspace(workspace);
  mm.SetTensorA(global<half>(args[0]));
  mm.SetTensorB(global<half>(args[1]));
  if (how == 0) {
    mm.IterateNBatch(kLoops, kEach, 1, false);
    return;
  }
  mm.template IterateNBatch<false>(kLoops, kEach, 1, false);
  auto* c = static_cast<float*>(args[2]);
  for (uint32_t loop = 0; loop < kLoops; ++loop) {
    float* part = c + loop * kEach * kMatrix;
    if (how == 1) {
      const auto batch = mm.template GetBatchTensorC<false>(kEach, 1);
      for (uint32_t i = 0; i < kEach * kMatrix; ++i) part[i] = batch.GetValue(i);
    } else {
      const LocalTensor<float> batch(TPosition::VECIN, 0, kEach * kMatrix);
      mm.template GetBatchC<false>(batch, kEach, 1);
      for (uint32_t i = 0; i < kEach * kMatrix; ++i) part[i] = batch.GetValue(i);
    }
  }
}
TEST(MatmulCopies, IteratesOverManyBatches) {
  tiling = tiling_of(kSide, kSide, kSide, {16, 16, 16});
  auto a = noise<half>(kLoops * kEach * kMatrix, 4), b = noise<half>(kLoops * kMatrix, 5);
  std::vector<float> expected;
  for (uint32_t i = 0; i < kLoops * kEach; ++i) {
    const std::vector<half> left(a.begin() + i * kMatrix, a.begin() + (i + 1) * kMatrix);
    const uint32_t shared = i / kEach;
    const std::vector<half> right(b.begin() + shared * kMatrix, b.begin() + (shared + 1) * kMatrix);
    const auto c = product<float>(left, right, kSide, kSide, kSide);
    expected.insert(expected.end(), c.begin(), c.end());
  }
  const auto check = [&](const LaunchReport& report, const std::vector<float>& c) {
    for (const Fault& f : report.faults) ADD_FAILURE() << f.code << " " << f.message;
    EXPECT_EQ(c, expected);
  };
  std::vector<float> c(expected.size()), workspace(expected.size());
  check(run<many_batches<0>>({a.data(), b.data(), c.data(), workspace.data()}), c);
  std::fill(c.begin(), c.end(), 0.0f);
  check(run<many_batches<1>>({a.data(), b.data(), c.data(), workspace.data()}), c);
  std::fill(c.begin(), c.end(), 0.0f);
  check(run<many_batches<2>>({a.data(), b.data(), c.data(), workspace.data()}), c);
}

// Two blocks of the author's in L0C at a time, each with its own sum over two halves of K.
void into_own_blocks(void* const* args) {
  using OwnC = MatmulType<TPosition::CO1, CubeFormat::NZ, float>;
  Matmul<In<half>, In<half>, OwnC> mm;
  mm.Init(&tiling);
  mm.SetOrgShape(20, 40, 64);
  const LocalTensor<float> one(TPosition::CO1, 0, 32 * 48), two(TPosition::CO1, 32768, 32 * 48);
  for (int half_of_k = 0; half_of_k < 2; ++half_of_k) {
    for (int product = 0; product < 2; ++product) {
      mm.SetTensorA(
          global<half>(args[0])[static_cast<uint64_t>(product * 20 * 64 + half_of_k * 32)]);
      mm.SetTensorB(global<half>(args[1])[static_cast<uint64_t>(half_of_k * 32 * 40)]);
      mm.Iterate(half_of_k > 0, product ? two : one);
    }
  }
  PipeBarrier<PIPE_ALL>();
  FixpipeParamsV220 f(40, 20, 32, 40, false);
  Fixpipe<float, float, CFG_ROW_MAJOR>(global<float>(args[2]), one, f);
  Fixpipe<float, float, CFG_ROW_MAJOR>(global<float>(args[2])[20 * 40], two, f);
}
TEST(MatmulCopies, IteratesIntoBlocksOfTheAuthor) {
  tiling = tiling_of(20, 40, 32, {32, 48, 32});
  const auto a = noise<half>(2 * 20 * 64, 6);
  auto stored = a, b = noise<half>(64 * 40, 7);
  std::vector<float> c(2 * 20 * 40);
  const LaunchReport report =
      run<into_own_blocks>({stored.data(), b.data(), c.data()}, on_cube_core());
  for (const Fault& f : report.faults) ADD_FAILURE() << f.code << " " << f.message;
  for (uint32_t p = 0; p < 2; ++p) {
    const std::vector<half> left(a.begin() + p * 20 * 64, a.begin() + (p + 1) * 20 * 64);
    const auto expected = product<float>(left, b, 20, 40, 64);
    for (uint32_t i = 0; i < expected.size(); ++i) ASSERT_EQ(c[p * 800 + i], expected[i]) << p;
  }
}

template <template <const auto&, typename...> class Policy>
void triangle(void* const* args) {
  Matmul<In<half>, In<half>, Out<>, Out<>, CFG_NORM, MatmulCallBackFunc<nullptr, nullptr, nullptr>,
         Policy>
      mm;
  mm.Init(&tiling);
  mm.SetTensorA(global<half>(args[0]));
  mm.SetTensorB(global<half>(args[1]));
  mm.IterateAll(global<float>(args[2]));
}
// MatmulPolicy itself is the parameter's default.
TEST(MatmulCopies, PoliciesLeaveBlocksOut) {
  namespace Policies = AscendC::Impl::Detail;
  tiling = tiling_of(70, 70, 20, {16, 16, 16});
  auto a = noise<half>(70 * 20, 8), b = noise<half>(20 * 70, 9);
  const auto whole = product<float>(a, b, 70, 70, 20);
  const auto check = [&](int kept, const LaunchReport& report, const std::vector<float>& c) {
    ASSERT_TRUE(report.ok());
    for (int i = 0; i < 70; ++i)
      for (int j = 0; j < 70; ++j) {
        const bool there = kept > 0 ? i / 16 <= j / 16 : kept < 0 ? i / 16 >= j / 16 : true;
        ASSERT_EQ(c[static_cast<size_t>(i * 70 + j)],
                  there ? whole[static_cast<size_t>(i * 70 + j)] : -5.0f)
            << i << " " << j << " " << kept;
      }
  };
  std::vector<float> c(70 * 70, -5.0f);
  check(1, run<triangle<Policies::TrianUpperMatmulPolicy>>({a.data(), b.data(), c.data()}), c);
  c.assign(70 * 70, -5.0f);
  check(-1, run<triangle<Policies::TrianLowerMatmulPolicy>>({a.data(), b.data(), c.data()}), c);
  for (const LaunchReport& all :
       {run<triangle<Policies::NBuffer33MatmulPolicy>>({a.data(), b.data(), c.data()}),
        run<triangle<Policies::MatmulPolicy>>({a.data(), b.data(), c.data()})}) {
    check(0, all, c);
  }
}

}  // namespace
}  // namespace opkit::core::test
