// What watching costs: the same kernels in Fast, Timed and Checked mode on one host thread.
// Arguments: floats per tile.
#include <benchmark/benchmark.h>

#include <vector>

#include "kernel_operator.h"
#include "opkit/core/modes/checked.h"
#include "opkit/core/modes/timed.h"

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

opk_soc_v1 chip() {
  opk_soc_v1 soc = {};
  soc.struct_size = sizeof soc;
  soc.npu_arch = 2201;
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
  kernel.task_type = OPK_TASK_AIV_ONLY;
  kernel.aiv = entry;
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
  state.SetBytesProcessed(state.iterations() * int64_t{3} * kElements * 4);
}

template <opk_kernel_fn entry>
void fast(benchmark::State& state) {
  run(state, entry, nullptr);
}
template <opk_kernel_fn entry>
void timed(benchmark::State& state) {
  Timed observer{TimingRates()};
  run(state, entry, &observer);
}
template <opk_kernel_fn entry>
void checked(benchmark::State& state) {
  Checked observer;
  run(state, entry, &observer);
}

#define OPKIT_COST(kernel)                                  \
  BENCHMARK(fast<kernel>)->Arg(512)->Arg(2048)->Arg(4096);  \
  BENCHMARK(timed<kernel>)->Arg(512)->Arg(2048)->Arg(4096); \
  BENCHMARK(checked<kernel>)->Arg(512)->Arg(2048)->Arg(4096)

OPKIT_COST(add);
OPKIT_COST(chain);
OPKIT_COST(rows);

}  // namespace

BENCHMARK_MAIN();
