// Random kernels of cube cores, alone and with their vector cores, and of cores that are both: a
// program has the kernel's bits, also where cores race for bytes of their block.
#include <gtest/gtest.h>

#include <random>

#include "tests/unit/core/replay/replayed.h"

namespace opkit::core::test::random_cube_replays {
namespace {

using namespace AscendC;

constexpr uint32_t kFloats = 8192, kPart = 2048;  // count the floats of a tensor, of a block in it
constexpr uint32_t kBlocks = kFloats / kPart;
constexpr uint32_t kRow = 64, kSide = 32;        // elements of a row in GM, sides of a matrix
constexpr uint32_t kSquare = kSide * kSide;      // elements
constexpr uint32_t kTiles = 4, kTile = 256;      // tiles of UB, and their floats
constexpr uint16_t kToVectors = 1, kToCube = 2;  // flags

enum class Act {
  kIn,
  kLeft,
  kRight,
  kMultiply,
  kStore,
  kStoreHalves,
  kLoad,
  kLoadNext,
  kSum,
  kScale,
  kOut,
  kActs,
  // In mixed kernels these come in addition:
  kVectorsGoOn,
  kCubeGoesOn,
  kAllGoOn
};

struct Deed {
  Act act = Act::kIn;
  uint32_t to = 0, from = 0, other = 0;
  uint32_t m = kSide, n = kSide, k = kSide;
  bool flag = false;
};

const std::vector<Deed>* deeds = nullptr;

struct Tensors {
  GlobalTensor<float> x, z;
  GlobalTensor<half> narrow_x, narrow_z;
  uint32_t block;

  explicit Tensors(void* const* args) {
    x.SetGlobalBuffer(static_cast<float*>(args[0]), kFloats);
    z.SetGlobalBuffer(static_cast<float*>(args[2]), kFloats);
    narrow_x.SetGlobalBuffer(static_cast<half*>(args[0]), 2 * kFloats);
    narrow_z.SetGlobalBuffer(static_cast<half*>(args[2]), 2 * kFloats);
    const auto index = static_cast<uint32_t>(GetBlockIdx());
    block = detail::current->kind == OPK_CORE_AIV ? index / static_cast<uint32_t>(GetSubBlockNum())
                                                  : index;
  }
};

struct Cube : Tensors {
  using Tensors::Tensors;

  static LocalTensor<half> in_l1(uint32_t i) { return {TPosition::A1, i * kSquare * 2, kSquare}; }
  static LocalTensor<half> left(uint32_t i) { return {TPosition::A2, i * kSquare * 2, kSquare}; }
  static LocalTensor<half> right(uint32_t i) { return {TPosition::B2, i * kSquare * 2, kSquare}; }
  static LocalTensor<float> sums(uint32_t i) { return {TPosition::CO1, i * kSquare * 4, kSquare}; }

  void copy_in(const Deed& d) const {
    const GlobalTensor<half>& from = d.flag ? narrow_z : narrow_x;
    DataCopy(in_l1(d.to), from[2 * block * kPart + d.from * kRow],
             Nd2NzParams(1, kSide, kSide, 0, kRow, kSide, 1, 0));
  }
  static void load(const LocalTensor<half>& to, const LocalTensor<half>& from, bool turns) {
    LoadData(to, from, LoadData2DParams(0, 4, 1, 0, 0, turns, 0));
  }
  static void multiply(const Deed& d) {
    MmadParams product;
    product.m = static_cast<uint16_t>(d.m);
    product.n = static_cast<uint16_t>(d.n);
    product.k = static_cast<uint16_t>(d.k);
    product.cmatrixInitVal = d.flag;
    Mmad(sums(d.to), left(d.from), right(d.other), product);
  }
  void store(const Deed& d) const {
    FixpipeParamsV220 out;
    out.nSize = out.mSize = out.srcStride = kSide;
    out.dstStride = kRow;
    out.reluEn = d.flag;
    Fixpipe(z[block * kPart + d.to % 5 * 8], sums(d.from), out);
  }
  void store_halves(const Deed& d) const {
    FixpipeParamsV220 out;
    out.nSize = out.mSize = out.srcStride = kSide;
    out.dstStride = kRow;
    out.quantPre = QuantMode_t::F322F16;
    Fixpipe(narrow_z[2 * block * kPart + d.to * kRow], sums(d.from), out);
  }
  void prepare() const {
    for (uint32_t i = 0; i < kTiles; ++i) {
      copy_in({Act::kIn, i, 4 * i});
      load(left(i), in_l1(i), false);
      load(right(i), in_l1(i), i % 2 != 0);
      multiply({Act::kMultiply, i, i, i, kSide, kSide, kSide, true});
    }
  }
  void perform(const Deed& d) const {
    switch (d.act) {
      case Act::kIn: return copy_in(d);
      case Act::kLeft: return load(left(d.to), in_l1(d.from % kTiles), d.flag);
      case Act::kRight: return load(right(d.to), in_l1(d.from % kTiles), d.flag);
      case Act::kMultiply: return multiply(d);
      case Act::kStore: return store(d);
      case Act::kStoreHalves: return store_halves(d);
      case Act::kVectorsGoOn: return CrossCoreSetFlag<2, PIPE_FIX>(kToVectors);
      case Act::kCubeGoesOn: return CrossCoreWaitFlag(kToCube);
      default: return;
    }
  }
};

struct Vector : Tensors {
  using Tensors::Tensors;

  static LocalTensor<float> tile(uint32_t i) { return {TPosition::VECCALC, i * kTile * 4, kTile}; }
  GlobalTensor<float> part(uint32_t of_block, uint32_t row) const {
    return z[of_block % kBlocks * kPart + row % (kPart / kRow - 4) * kRow];
  }
  static void prepare() {
    for (uint32_t i = 0; i < kTiles; ++i)
      Duplicate(tile(i), 0.5f + static_cast<float>(i), static_cast<int32_t>(kTile));
  }
  void perform(const Deed& d) const {
    const auto n = static_cast<int32_t>(kTile);
    switch (d.act) {
      case Act::kLoad:
        return DataCopy(tile(d.to), d.flag ? x[block * kPart + d.from * 8] : part(block, d.from),
                        kTile);
      case Act::kLoadNext: return DataCopy(tile(d.to), part(block + 1, d.from), kTile);
      case Act::kSum: return Add(tile(d.to), tile(d.from % kTiles), tile(d.other), n);
      case Act::kScale: return Muls(tile(d.to), tile(d.from % kTiles), -0.75f, n);
      case Act::kOut: return DataCopy(part(block, d.to), tile(d.from % kTiles), kTile);
      case Act::kVectorsGoOn: return CrossCoreWaitFlag(kToVectors);
      case Act::kCubeGoesOn: return CrossCoreSetFlag<2, PIPE_MTE3>(kToCube);
      case Act::kAllGoOn: return SyncAll<true>();
      default: return;
    }
  }
};

template <typename Side>
void perform_all(void* const* args) {
  const Side side(args);
  side.prepare();
  for (const Deed& deed : *deeds) side.perform(deed);
}

void body(void* const* args) {
  switch (detail::current->kind) {
    case OPK_CORE_AIC: return perform_all<Cube>(args);
    case OPK_CORE_AIV: return perform_all<Vector>(args);
    default: break;
  }
  const Cube cube(args);
  const Vector vector(args);
  cube.prepare();
  vector.prepare();
  for (const Deed& deed : *deeds) {
    cube.perform(deed);
    vector.perform(deed);
  }
}

class Drawing {
 public:
  // neighbours: vector cores read what other blocks write, and wait for them. Where cores of a
  // block race, such a kernel has other bits on more than one thread, with and without replay.
  Drawing(uint32_t seed, bool mixed, bool neighbours)
      : random_(seed), mixed_(mixed), neighbours_(neighbours) {}

  std::vector<Deed> all() {
    std::vector<Deed> drawn;
    const uint32_t steps = 8 + below(32);
    for (uint32_t i = 0; i < steps; ++i) {
      drawn.push_back(deed());
      if (mixed_ && below(4) == 0) drawn.push_back({handovers[below(neighbours_ ? 3 : 2)]});
    }
    drawn.push_back({Act::kStore, 0, below(kTiles)});
    return drawn;
  }

 private:
  static constexpr Act handovers[] = {Act::kVectorsGoOn, Act::kCubeGoesOn, Act::kAllGoOn};

  uint32_t below(uint32_t n) { return static_cast<uint32_t>(random_() % n); }
  Deed deed() {
    Deed d;
    do {
      d.act = static_cast<Act>(below(static_cast<uint32_t>(Act::kActs)));
    } while (d.act == Act::kLoadNext && !neighbours_);
    const bool stores = d.act == Act::kStore || d.act == Act::kStoreHalves || d.act == Act::kOut;
    const bool reads_gm = d.act == Act::kIn || d.act == Act::kLoad || d.act == Act::kLoadNext;
    d.to = below(stores ? kSide : kTiles);
    d.from = below(reads_gm ? kSide : kTiles);
    d.other = below(kTiles);
    d.m = below(2) == 0 ? kSide : 17 + below(15);
    d.n = below(2) == 0 ? kSide : 16 + below(17);
    d.k = below(2) == 0 ? kSide : 16 + below(17);
    d.flag = below(2) == 0;
    return d;
  }

  std::mt19937 random_;
  const bool mixed_, neighbours_;
};

// Returns how many of the kernels were replayed.
uint32_t replay(const ReplayedSetup& setup, uint32_t kernels) {
  uint32_t programs = 0;
  for (uint32_t seed = 0; seed < kernels; ++seed) {
    const bool mixed = setup.split && setup.task_type == OPK_TASK_MIX_1_2;
    const std::vector<Deed> drawn = Drawing(seed, mixed, mixed && setup.threads == 1).all();
    deeds = &drawn;
    const Replayed seen = replayed<body>(setup);
    EXPECT_TRUE(seen.ok && seen.same) << "seed " << seed << " " << seen.report.why;
    if (!seen.ok || !seen.same) return 0;
    if (seen.report.has_program) ++programs;
  }
  return programs;
}

ReplayedSetup setup_of(int32_t task_type) {
  ReplayedSetup setup;
  setup.task_type = task_type;
  setup.launches = 3;
  return setup;
}

TEST(RandomCubeReplay, CubeCoresAlone) {
  EXPECT_GT(replay(setup_of(OPK_TASK_AIC_ONLY), 300), 200u);
}

TEST(RandomCubeReplay, CubeCoresAndTheirVectorCores) {
  EXPECT_GT(replay(setup_of(OPK_TASK_MIX_1_2), 300), 200u);
}

TEST(RandomCubeReplay, OnTwoThreads) {
  ReplayedSetup setup = setup_of(OPK_TASK_MIX_1_2);
  setup.threads = 2;
  EXPECT_GT(replay(setup, 100), 60u);
}

TEST(RandomCubeReplay, CoresThatAreBoth) {
  ReplayedSetup setup = setup_of(OPK_TASK_MIX_1_2);
  setup.split = false;
  EXPECT_GT(replay(setup, 300), 200u);
}

}  // namespace
}  // namespace opkit::core::test::random_cube_replays
