// What watching costs: the same kernels in Fast, Timed and Checked mode on one host thread.
// Arguments: floats per tile; sides of the base block for the matrix products.
#include <benchmark/benchmark.h>

#include <vector>

#include "kernel_operator.h"
#include "lib/matmul_intf.h"
#include "opkit/core/machine.h"
#include "opkit/core/modes/checked.h"
#include "opkit/core/modes/timed.h"
#include "opkit/soc/arch.h"
#include "tests/rates_910b1.h"

namespace {

using namespace opkit::core;
using namespace AscendC;

constexpr uint32_t kElements = 1 << 23, kBlocks = 8;
uint32_t tile = 4096;

void add(opk_core* core, void* const* args) {
  AscendC::detail::current = core;
  TPipe pipe;
  TQue<TPosition::VECIN, 2> in_x, in_y;
  TQue<TPosition::VECOUT, 2> out;
  GlobalTensor<float> x, y, z;
  const uint32_t part = kElements / kBlocks;
  const uint64_t first = static_cast<uint64_t>(GetBlockIdx()) * part;
  x.SetGlobalBuffer(static_cast<float*>(args[0]) + first, part);
  y.SetGlobalBuffer(static_cast<float*>(args[1]) + first, part);
  z.SetGlobalBuffer(static_cast<float*>(args[2]) + first, part);
  pipe.InitBuffer(in_x, 2, tile * 4);
  pipe.InitBuffer(in_y, 2, tile * 4);
  pipe.InitBuffer(out, 2, tile * 4);
  for (uint32_t i = 0; i < part; i += tile) {
    auto a = in_x.AllocTensor<float>();
    auto b = in_y.AllocTensor<float>();
    DataCopy(a, x[i], tile);
    DataCopy(b, y[i], tile);
    in_x.EnQue(a);
    in_y.EnQue(b);
    a = in_x.DeQue<float>();
    b = in_y.DeQue<float>();
    auto c = out.AllocTensor<float>();
    Add(c, a, b, static_cast<int32_t>(tile));
    in_x.FreeTensor(a);
    in_y.FreeTensor(b);
    out.EnQue(c);
    c = out.DeQue<float>();
    DataCopy(z[i], c, tile);
    out.FreeTensor(c);
  }
}

// Several instructions per tile, some of them slow.
void chain(opk_core* core, void* const* args) {
  AscendC::detail::current = core;
  TPipe pipe;
  TQue<TPosition::VECIN, 2> in;
  TQue<TPosition::VECOUT, 2> out;
  GlobalTensor<float> x, z;
  const uint32_t part = kElements / kBlocks;
  const uint64_t first = static_cast<uint64_t>(GetBlockIdx()) * part;
  x.SetGlobalBuffer(static_cast<float*>(args[0]) + first, part);
  z.SetGlobalBuffer(static_cast<float*>(args[2]) + first, part);
  pipe.InitBuffer(in, 2, tile * 4);
  pipe.InitBuffer(out, 2, tile * 4);
  const auto n = static_cast<int32_t>(tile);
  for (uint32_t i = 0; i < part; i += tile) {
    auto a = in.AllocTensor<float>();
    DataCopy(a, x[i], tile);
    in.EnQue(a);
    a = in.DeQue<float>();
    auto c = out.AllocTensor<float>();
    Muls(c, a, 0.5f, n);
    Exp(c, c, n);
    Adds(c, c, 1.0f, n);
    Div(c, a, c, n);
    Relu(c, c, n);
    in.FreeTensor(a);
    out.EnQue(c);
    c = out.DeQue<float>();
    DataCopy(z[i], c, tile);
    out.FreeTensor(c);
  }
}

// Rows reduced one by one: short instructions and scalar accesses.
void rows(opk_core* core, void* const* args) {
  AscendC::detail::current = core;
  TPipe pipe;
  TQue<TPosition::VECIN, 2> in;
  TBuf<TPosition::VECCALC> sums;
  GlobalTensor<float> x, z;
  const uint32_t part = kElements / kBlocks;
  const uint64_t first = static_cast<uint64_t>(GetBlockIdx()) * part;
  x.SetGlobalBuffer(static_cast<float*>(args[0]) + first, part);
  z.SetGlobalBuffer(static_cast<float*>(args[2]) + first, part);
  pipe.InitBuffer(in, 2, tile * 4);
  pipe.InitBuffer(sums, tile * 4);
  auto room = sums.Get<float>();
  for (uint32_t i = 0; i < part; i += tile) {
    auto a = in.AllocTensor<float>();
    DataCopy(a, x[i], tile);
    in.EnQue(a);
    a = in.DeQue<float>();
    ReduceSum(room, a, room, static_cast<int32_t>(tile));
    z.SetValue(i, room.GetValue(0));
    in.FreeTensor(a);
  }
}

// One block of C per core and step: kDeep values of K, in base blocks of `tile` x `tile` x 64.
constexpr uint32_t kSide = 512, kDeep = 1024, kBaseK = 64;

struct Operands {
  GlobalTensor<half> a, b;
  GlobalTensor<float> c;
  explicit Operands(void* const* args) {
    const auto block = static_cast<uint64_t>(GetBlockIdx());
    a.SetGlobalBuffer(static_cast<half*>(args[0]) + block * kSide / kBlocks * kDeep);
    b.SetGlobalBuffer(static_cast<half*>(args[1]));
    c.SetGlobalBuffer(static_cast<float*>(args[2]) + block * kSide / kBlocks * kSide);
  }
};

void matmul_object(opk_core* core, void* const* args) {
  AscendC::detail::current = core;
  const auto base = static_cast<int>(tile);
  TCubeTiling t{};
  t.M = t.singleCoreM = kSide / kBlocks;
  t.N = t.singleCoreN = kSide;
  t.Ka = t.Kb = t.singleCoreK = kDeep;
  t.baseM = t.baseN = base;
  t.baseK = kBaseK;
  t.stepM = t.stepN = t.stepKa = t.stepKb = 1;
  t.depthA1 = t.depthB1 = t.dbL0A = t.dbL0B = 2;
  using Half = MatmulType<TPosition::GM, CubeFormat::ND, half>;
  Matmul<Half, Half, MatmulType<TPosition::GM, CubeFormat::ND, float>> mm;
  Operands gm(args);
  mm.Init(&t);
  mm.SetTensorA(gm.a);
  mm.SetTensorB(gm.b);
  mm.IterateAll(gm.c);
}

// Multiplies by the basic API, two buffers in L1 and L0.
void matmul_basic(opk_core* core, void* const* args) {
  AscendC::detail::current = core;
  Operands gm(args);
  const auto base = static_cast<uint16_t>(tile);
  const uint32_t fractals = tile / 16, bytes = tile * kBaseK * 2;
  LocalTensor<float> co1(TPosition::CO1, 0, tile * tile);
  for (int32_t i = 0; i < 2; ++i) SetFlag<HardEvent::M_MTE1>(i), SetFlag<HardEvent::MTE1_MTE2>(i);
  SetFlag<HardEvent::FIX_M>(0);
  for (uint32_t m = 0; m < kSide / kBlocks; m += tile) {
    for (uint32_t n = 0; n < kSide; n += tile) {
      for (uint32_t k = 0; k < kDeep; k += kBaseK) {
        const auto slot = static_cast<int32_t>(k / kBaseK % 2);
        const uint32_t at = static_cast<uint32_t>(slot) * bytes;
        LocalTensor<half> a1(TPosition::A1, at, tile * kBaseK);
        LocalTensor<half> b1(TPosition::B1, 65536 + at, tile * kBaseK);
        LocalTensor<half> a2(TPosition::A2, at, tile * kBaseK);
        LocalTensor<half> b2(TPosition::B2, at, tile * kBaseK);
        WaitFlag<HardEvent::MTE1_MTE2>(slot);
        DataCopy(a1, gm.a[m * kDeep + k], Nd2NzParams(1, base, kBaseK, 0, kDeep, base, 1, 0));
        DataCopy(b1, gm.b[k * kSide + n], Nd2NzParams(1, kBaseK, base, 0, kSide, kBaseK, 1, 0));
        SetFlag<HardEvent::MTE2_MTE1>(slot);
        WaitFlag<HardEvent::MTE2_MTE1>(slot);
        WaitFlag<HardEvent::M_MTE1>(slot);
        for (uint16_t s = 0; s < kBaseK / 16; ++s) {
          LoadData(
              a2[s * 256u], a1[s * tile * 16],
              LoadData2DParams(0, static_cast<uint8_t>(fractals), 1, 0, kBaseK / 16 - 1, false, 0));
          LoadData(b2[s * tile * 16], b1,
                   LoadData2DParams(s, static_cast<uint8_t>(fractals), kBaseK / 16, 0, 0, true, 0));
        }
        SetFlag<HardEvent::MTE1_MTE2>(slot);
        SetFlag<HardEvent::MTE1_M>(slot);
        WaitFlag<HardEvent::MTE1_M>(slot);
        if (k == 0) WaitFlag<HardEvent::FIX_M>(0);
        Mmad(co1, a2, b2, MmadParams(base, base, kBaseK, 0, false, k == 0));
        if (fractals * fractals < 10) PipeBarrier<PIPE_M>();  // page "Mmad"
        SetFlag<HardEvent::M_MTE1>(slot);
      }
      SetFlag<HardEvent::M_FIX>(0);
      WaitFlag<HardEvent::M_FIX>(0);
      Fixpipe(gm.c[m * kSide + n], co1, FixpipeParamsV220(base, base, base, kSide, false));
      SetFlag<HardEvent::FIX_M>(0);
    }
  }
  WaitFlag<HardEvent::FIX_M>(0);
  for (int32_t i = 0; i < 2; ++i) WaitFlag<HardEvent::M_MTE1>(i), WaitFlag<HardEvent::MTE1_MTE2>(i);
}

opk_soc_v1 chip() {
  opk_soc_v1 soc = {};
  soc.struct_size = sizeof soc;
  soc.npu_arch = 2201;
  soc.arch = &opkit::find_arch(2201).value()->table();
  soc.name = soc.short_name = "Ascend910B1";
  soc.cube_core_num = 24;
  soc.vector_core_num = 48;
  soc.split = 1;
  const uint64_t sizes[] = {1ull << 36, 196608, 524288, 65536, 65536, 131072, 1024, 2048};
  std::copy(std::begin(sizes), std::end(sizes), soc.memory_size);
  return soc;
}

void run(benchmark::State& state, opk_kernel_fn entry, Observer* observer) {
  static const opk_soc_v1 soc = chip();
  static Machine machine(soc, 1);
  static std::vector<float> x(kElements, 1.0f), y(kElements, 2.0f), z(kElements);
  tile = static_cast<uint32_t>(state.range(0));
  void* args[] = {x.data(), y.data(), z.data()};
  const auto bytes = reinterpret_cast<const uint8_t*>(x.data());
  const GmRange gm[] = {{bytes, kElements * 4, "x", false, false},
                        {reinterpret_cast<uint8_t*>(y.data()), kElements * 4, "y", false, false},
                        {reinterpret_cast<uint8_t*>(z.data()), kElements * 4, "z", true, false}};
  opk_kernel_v1 kernel = {};
  kernel.struct_size = sizeof kernel;
  kernel.name = "add";
  const bool cube = entry == matmul_basic || entry == matmul_object;
  kernel.task_type = cube ? OPK_TASK_AIC_ONLY : OPK_TASK_AIV_ONLY;
  kernel.aiv = kernel.aic = entry;
  LaunchRequest request;
  request.kernel = &kernel;
  request.block_dim = kBlocks;
  request.args = args;
  request.gm = gm;
  request.gm_count = 3;
  request.observer = observer;
  for (auto _ : state) {
    const LaunchReport report = machine.launch(request);
    if (!report.ok()) state.SkipWithError(report.faults[0].message.c_str());
    if (auto* checked = dynamic_cast<Checked*>(observer)) {
      if (!checked->take_report(report).findings.empty()) state.SkipWithError("a finding");
    }
  }
  state.SetItemsProcessed(state.iterations());
}

template <opk_kernel_fn entry>
void fast(benchmark::State& state) {
  run(state, entry, nullptr);
}
template <opk_kernel_fn entry>
void timed(benchmark::State& state) {
  Timed observer{rates_910b1()};
  run(state, entry, &observer);
}
template <opk_kernel_fn entry>
void checked(benchmark::State& state) {
  Checked observer;
  run(state, entry, &observer);
}

#define OPKIT_COST(kernel, ...)                           \
  BENCHMARK(fast<kernel>)->ArgsProduct({{__VA_ARGS__}});  \
  BENCHMARK(timed<kernel>)->ArgsProduct({{__VA_ARGS__}}); \
  BENCHMARK(checked<kernel>)->ArgsProduct({{__VA_ARGS__}})

OPKIT_COST(add, 512, 2048, 4096);
OPKIT_COST(chain, 512, 2048, 4096);
OPKIT_COST(rows, 512, 2048, 4096);
OPKIT_COST(matmul_basic, 32, 64);
OPKIT_COST(matmul_object, 32, 64);

}  // namespace

BENCHMARK_MAIN();
