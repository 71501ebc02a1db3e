// Correct kernels to be broken: with flags, with queues, on several cores, on the cube core.
#include "mutation.h"

using namespace AscendC;

namespace faults {
namespace {

constexpr uint32_t kTile = 256, kTiles = 4;

struct Gm {
  GlobalTensor<float> x, y, z, w;
  __aicore__ inline Gm(GM_ADDR xp, GM_ADDR yp, GM_ADDR zp, GM_ADDR wp) {
    const uint64_t part = static_cast<uint64_t>(GetBlockIdx()) * kTile * kTiles;
    x.SetGlobalBuffer((__gm__ float*)xp + part, kTile * kTiles);
    y.SetGlobalBuffer((__gm__ float*)yp + part, kTile * kTiles);
    z.SetGlobalBuffer((__gm__ float*)zp + part, kTile * kTiles);
    w.SetGlobalBuffer((__gm__ float*)wp, kElements);
  }
};

void with_flags(GM_ADDR xp, GM_ADDR yp, GM_ADDR zp, GM_ADDR wp) {
  Gm gm(xp, yp, zp, wp);
  LocalTensor<float> x(TPosition::VECIN, 0, kTile), y(TPosition::VECIN, 8192, kTile),
      z(TPosition::VECOUT, 16384, kTile);
  SetFlag<HardEvent::V_MTE2>(0);
  SetFlag<HardEvent::MTE3_V>(0);
  for (uint32_t i = 0; i < kTiles; ++i) {
    WaitFlag<HardEvent::V_MTE2>(0);
    DataCopy(x, gm.x[i * kTile], kTile);
    DataCopy(y, gm.y[i * kTile], kTile);
    SetFlag<HardEvent::MTE2_V>(0);
    WaitFlag<HardEvent::MTE2_V>(0);
    WaitFlag<HardEvent::MTE3_V>(0);
    Add(z, x, y, kTile);
    SetFlag<HardEvent::V_MTE2>(0);
    SetFlag<HardEvent::V_MTE3>(0);
    WaitFlag<HardEvent::V_MTE3>(0);
    DataCopy(gm.z[i * kTile], z, kTile);
    SetFlag<HardEvent::MTE3_V>(0);
  }
  WaitFlag<HardEvent::V_MTE2>(0);
  WaitFlag<HardEvent::MTE3_V>(0);
}

void with_one_input(GM_ADDR xp, GM_ADDR yp, GM_ADDR zp, GM_ADDR wp) {
  Gm gm(xp, yp, zp, wp);
  TPipe pipe;
  Queue<TPosition::VECIN, 2> in_x;
  Queue<TPosition::VECOUT, 2> out;
  pipe.InitBuffer(in_x, 2, kTile * 4);
  pipe.InitBuffer(out, 2, kTile * 4);
  for (uint32_t i = 0; i < kTiles; ++i) {
    auto x = in_x.AllocTensor<float>();
    DataCopy(x, gm.x[i * kTile], kTile);
    in_x.EnQue(x);
    x = in_x.DeQue<float>();
    auto z = out.AllocTensor<float>();
    Add(z, x, x, kTile);
    in_x.FreeTensor(x);
    out.EnQue(z);
    z = out.DeQue<float>();
    DataCopy(gm.z[i * kTile], z, kTile);
    out.FreeTensor(z);
  }
}

void with_queues(GM_ADDR xp, GM_ADDR yp, GM_ADDR zp, GM_ADDR wp) {
  Gm gm(xp, yp, zp, wp);
  TPipe pipe;
  Queue<TPosition::VECIN, 2> in_x, in_y;
  Queue<TPosition::VECOUT, 2> out;
  pipe.InitBuffer(in_x, 2, kTile * 4);
  pipe.InitBuffer(in_y, 2, kTile * 4);
  pipe.InitBuffer(out, 2, kTile * 4);
  for (uint32_t i = 0; i < kTiles; ++i) {
    auto x = in_x.AllocTensor<float>();
    auto y = in_y.AllocTensor<float>();
    DataCopy(x, gm.x[i * kTile], kTile);
    DataCopy(y, gm.y[i * kTile], kTile);
    in_x.EnQue(x);
    in_y.EnQue(y);
    x = in_x.DeQue<float>();
    y = in_y.DeQue<float>();
    auto z = out.AllocTensor<float>();
    Add(z, x, y, kTile);
    in_x.FreeTensor(x);
    in_y.FreeTensor(y);
    out.EnQue(z);
    z = out.DeQue<float>();
    DataCopy(gm.z[i * kTile], z, kTile);
    out.FreeTensor(z);
  }
}

// Every core writes a tile of the workspace and then reads its neighbour's.
void with_sync_all(GM_ADDR xp, GM_ADDR yp, GM_ADDR zp, GM_ADDR wp) {
  Gm gm(xp, yp, zp, wp);
  LocalTensor<float> x(TPosition::VECIN, 0, kTile), z(TPosition::VECOUT, 16384, kTile);
  const auto block = static_cast<uint32_t>(GetBlockIdx());
  const auto next = (block + 1) % static_cast<uint32_t>(GetBlockNum());
  DataCopy(x, gm.x, kTile);
  SetFlag<HardEvent::MTE2_V>(0);
  WaitFlag<HardEvent::MTE2_V>(0);
  Add(z, x, x, kTile);
  SetFlag<HardEvent::V_MTE3>(0);
  WaitFlag<HardEvent::V_MTE3>(0);
  DataCopy(gm.w[block * kTile], z, kTile);
  SyncAll();
  DataCopy(x, gm.w[next * kTile], kTile);
  SetFlag<HardEvent::MTE2_V>(1);
  WaitFlag<HardEvent::MTE2_V>(1);
  Add(z, x, x, kTile);
  SetFlag<HardEvent::V_MTE3>(1);
  WaitFlag<HardEvent::V_MTE3>(1);
  DataCopy(gm.z, z, kTile);
}

// A product over two steps of k with two buffers in L1, by flags.
void with_cube_flags(GM_ADDR xp, GM_ADDR yp, GM_ADDR zp, GM_ADDR) {
  const auto block = static_cast<uint64_t>(GetBlockIdx());
  GlobalTensor<half> x, y;
  GlobalTensor<float> z;
  x.SetGlobalBuffer((__gm__ half*)xp + block * 1024, 1024);
  y.SetGlobalBuffer((__gm__ half*)yp + block * 1024, 1024);
  z.SetGlobalBuffer((__gm__ float*)zp + block * 256, 256);
  LocalTensor<half> a(TPosition::A2, 0, 256), b(TPosition::B2, 0, 256);
  LocalTensor<float> c(TPosition::CO1, 0, 256);
  const LoadData2DParams fractal(0, 1, 1, 0, 0, false, 0);
  for (uint32_t k = 0; k < 4; ++k) {
    const uint32_t half_of_l1 = k % 2;
    LocalTensor<half> a1(TPosition::A1, half_of_l1 * 1024, 256),
        b1(TPosition::A1, half_of_l1 * 1024 + 512, 256);
    if (k > 1) WaitFlag<HardEvent::MTE1_MTE2>(half_of_l1);
    DataCopy(a1, x[k * 256], 256);
    DataCopy(b1, y[k * 256], 256);
    SetFlag<HardEvent::MTE2_MTE1>(0);
    WaitFlag<HardEvent::MTE2_MTE1>(0);
    if (k > 0) WaitFlag<HardEvent::M_MTE1>(0);
    LoadData(a, a1, fractal);
    LoadData(b, b1, fractal);
    if (k < 2) SetFlag<HardEvent::MTE1_MTE2>(half_of_l1);
    SetFlag<HardEvent::MTE1_M>(0);
    WaitFlag<HardEvent::MTE1_M>(0);
    Mmad(c, a, b, MmadParams(16, 16, 16, 0, false, k == 0));
    if (k < 3) SetFlag<HardEvent::M_MTE1>(0);
  }
  SetFlag<HardEvent::M_FIX>(0);
  WaitFlag<HardEvent::M_FIX>(0);
  Fixpipe(z, c, FixpipeParamsV220(16, 16, 16, 16, false));
}

template <Kernel kernel>
void mutated(GM_ADDR x, GM_ADDR y, GM_ADDR z, GM_ADDR w) {
  const auto body = [&] { kernel(x, y, z, w); };
  run_mutated(AscendC::detail::core(),
              std::ref(body));  // nothing to free where a kernel ends early
}

template <Kernel kernel>
Subject subject(const char* name, bool cube = false) {
  return {name, [cube](std::vector<uint8_t>* output) {
            LaunchSetup setup;
            setup.blocks = 2;
            std::vector<float> z;
            setup.z = &z;
            auto report = cube ? check_cube<mutated<kernel>>(setup) : check<mutated<kernel>>(setup);
            const auto* bytes = reinterpret_cast<const uint8_t*>(z.data());
            output->assign(bytes, bytes + z.size() * sizeof(float));
            return report;
          }};
}

}  // namespace

std::vector<Subject> mutation_subjects() {
  return {subject<with_flags>("with_flags"), subject<with_one_input>("with_one_input"),
          subject<with_queues>("with_queues"), subject<with_sync_all>("with_sync_all"),
          subject<with_cube_flags>("with_cube_flags", true)};
}

}  // namespace faults
