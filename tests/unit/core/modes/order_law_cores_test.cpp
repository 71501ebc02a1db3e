// The law of orders between cores: where Checked has no error, no schedule changes a bit or ends a
// launch. Held up by random kernels of several vector cores, and of cube cores with theirs. Inside
// of a core everything is in order, so that only what stands between cores is missing.
#include <gmock/gmock.h>

#include <cstring>
#include <random>

#include "opkit/core/modes/checked.h"
#include "opkit/core/modes/reorder.h"
#include "tests/unit/core/kernel_run.h"

namespace opkit::core::test {
namespace {

using namespace AscendC;

constexpr uint32_t kWidth = 64, kTiles = 3;          // elements of a row; tiles in UB
constexpr uint32_t kMostCores = 4, kRowsOfCore = 2;  // vector cores; rows that each calls its own
constexpr uint32_t kCommon = kMostCores * kRowsOfCore;  // the first row that all may touch
constexpr uint32_t kAllRows = kCommon + 2;
constexpr uint32_t kSquare = 256;  // elements of a product of 16 x 16, and of each of its operands
constexpr uint64_t kOrders = 5;

enum class Act {
  kLoadOwn,
  kLoadNext,
  kLoadCommon,
  kStoreOwn,
  kStoreCommon,
  kAddUp,
  kFill,
  kSum,
  kSyncAll,
  // Stand in mixed kernels alone:
  kFeed,
  kLoadProduct,
  kMultiply,
  kToVectors,
  kToCube,
  kActs
};

struct Deed {
  Act act = Act::kFill;
  uint32_t tile = 0, other = 0, row = 0;
};
using Deeds = std::vector<Deed>;

std::string deeds_text(const Deeds& deeds) {
  static constexpr const char* kNames[] = {
      "load own", "load next", "load common",  "store own", "store common", "add up", "fill", "sum",
      "sync all", "feed",      "load product", "multiply",  "to vectors",   "to cube"};
  std::string text;
  for (const Deed& deed : deeds)
    text += std::string(kNames[static_cast<size_t>(deed.act)]) + " " + std::to_string(deed.tile) +
            " " + std::to_string(deed.other) + " " + std::to_string(deed.row) + "; ";
  return text;
}

const Deeds* performed = nullptr;

LocalTensor<float> tile_at(uint32_t i) {
  return LocalTensor<float>(TPosition::VECCALC, i * kWidth * 4, kWidth);
}

// w: rows of all cores; h: the left operand of each block's product, c: the product.
struct Memory {
  GlobalTensor<float> w, c;
  GlobalTensor<half> h;

  explicit Memory(void* const* args) {
    w.SetGlobalBuffer(static_cast<float*>(args[0]), kAllRows * kWidth);
    h.SetGlobalBuffer(static_cast<half*>(args[1]), kMostCores * kSquare);
    c.SetGlobalBuffer(static_cast<float*>(args[2]), kMostCores * kSquare);
  }
};

struct VectorCore : Memory {
  using Memory::Memory;
  const uint32_t core = static_cast<uint32_t>(GetBlockIdx());
  const uint32_t block = core / static_cast<uint32_t>(GetSubBlockNum());
  const uint32_t side = core % static_cast<uint32_t>(GetSubBlockNum());

  GlobalTensor<float> row_of(uint32_t of_core, uint32_t row) {
    return w[((of_core % kMostCores) * kRowsOfCore + row % kRowsOfCore) * kWidth];
  }
  GlobalTensor<float> common(uint32_t row) { return w[(kCommon + row % 2) * kWidth]; }

  void feed(const Deed& deed) {
    const LocalTensor<half> narrow(TPosition::VECCALC, kTiles * kWidth * 4, kSquare / 2);
    Duplicate(narrow, static_cast<half>(static_cast<float>(deed.row + side + 1)),
              static_cast<int32_t>(kSquare / 2));
    PipeBarrier<PIPE_ALL>();
    DataCopy(h[block * kSquare + side * (kSquare / 2)], narrow, kSquare / 2);
  }

  void perform(const Deed& deed) {
    const LocalTensor<float> to = tile_at(deed.tile);
    switch (deed.act) {
      case Act::kLoadOwn: return DataCopy(to, row_of(core, deed.row), kWidth);
      case Act::kLoadNext: return DataCopy(to, row_of(core + 1, deed.row), kWidth);
      case Act::kLoadCommon: return DataCopy(to, common(deed.row), kWidth);
      case Act::kStoreOwn: return DataCopy(row_of(core, deed.row), to, kWidth);
      case Act::kStoreCommon:
        if (core != deed.other) return;  // one of them
        return DataCopy(common(deed.row), to, kWidth);
      case Act::kAddUp:
        SetAtomicAdd<float>();
        DataCopy(common(deed.row), to, kWidth);
        return SetAtomicNone();
      case Act::kFill:
        return Duplicate(to, static_cast<float>(core + deed.row), static_cast<int32_t>(kWidth));
      case Act::kSum:
        return Add(to, to, tile_at(deed.other % kTiles), static_cast<int32_t>(kWidth));
      case Act::kSyncAll: return SyncAll<true>();
      case Act::kFeed: return feed(deed);
      case Act::kLoadProduct:
        return DataCopy(to, c[block * kSquare + (deed.row % 4) * kWidth], kWidth);
      case Act::kToVectors: return CrossCoreWaitFlag(1);
      case Act::kToCube: return CrossCoreSetFlag<2, PIPE_MTE3>(2);
      default: return;
    }
  }
};

struct CubeCore : Memory {
  using Memory::Memory;
  const uint32_t block = static_cast<uint32_t>(GetBlockIdx());

  void multiply() {
    const LocalTensor<half> a1(TPosition::A1, 0, kSquare), b1(TPosition::B1, kSquare * 2, kSquare);
    const LocalTensor<half> a2(TPosition::A2, 0, kSquare), b2(TPosition::B2, 0, kSquare);
    const LocalTensor<float> sum(TPosition::CO1, 0, kSquare);
    DataCopy(a1, h[block * kSquare], kSquare);
    DataCopy(b1, h[(kMostCores - 1) * kSquare], kSquare);
    PipeBarrier<PIPE_ALL>();
    LoadData2DParams load;
    load.repeatTimes = 1;
    LoadData(a2, a1, load);
    LoadData(b2, b1, load);
    PipeBarrier<PIPE_ALL>();
    MmadParams product;
    product.m = product.n = product.k = 16;
    product.cmatrixInitVal = true;
    Mmad(sum, a2, b2, product);
    PipeBarrier<PIPE_ALL>();
    FixpipeParamsV220 out;
    out.mSize = out.nSize = out.srcStride = out.dstStride = 16;
    Fixpipe(c[block * kSquare], sum, out);
  }

  void perform(const Deed& deed) {
    switch (deed.act) {
      case Act::kMultiply: return multiply();
      case Act::kToVectors: return CrossCoreSetFlag<2, PIPE_FIX>(1);
      case Act::kToCube: return CrossCoreWaitFlag(2);
      default: return;
    }
  }
};

template <typename Core>
void all_deeds(void* const* args) {
  Core core(args);
  for (const Deed& deed : *performed) {
    core.perform(deed);
    PipeBarrier<PIPE_ALL>();
  }
}

struct Outcome {
  bool ok = false;
  std::vector<uint8_t> bytes;
};

// Two blocks of a cube core and two vector cores, or three of a vector core.
Outcome perform(const Deeds& deeds, bool mixed, uint64_t seed, Observer* observer) {
  performed = &deeds;
  static const opk_soc_v1 soc = soc_910b();
  static Machine machine(soc, 1);  // making one takes longer than such a launch
  std::vector<float> w(kAllRows * kWidth), c(kMostCores * kSquare, -1.0f);
  for (size_t i = 0; i < w.size(); ++i) w[i] = static_cast<float>(i % 97);
  std::vector<Half> h(kMostCores * kSquare);
  for (size_t i = 0; i < h.size(); ++i) h[i] = Half(static_cast<float>(i % 5));
  void* args[] = {w.data(), h.data(), c.data()};
  const GmRange gm[] = {{reinterpret_cast<uint8_t*>(w.data()), w.size() * 4, "w", true, true},
                        {reinterpret_cast<uint8_t*>(h.data()), h.size() * 2, "h", true, true},
                        {reinterpret_cast<uint8_t*>(c.data()), c.size() * 4, "c", true, true}};
  opk_kernel_v1 kernel{};
  kernel.struct_size = sizeof kernel;
  kernel.task_type = mixed ? OPK_TASK_MIX_1_2 : OPK_TASK_AIV_ONLY;
  kernel.aiv = entry<all_deeds<VectorCore>>;
  if (mixed) kernel.aic = entry<all_deeds<CubeCore>>;
  LaunchRequest request;
  request.kernel = &kernel;
  request.block_dim = mixed ? 2 : 3;
  request.args = args;
  request.gm = gm;
  request.gm_count = 3;
  request.observer = observer;
  request.schedule_seed = seed;
  Outcome outcome;
  outcome.ok = machine.launch(request).ok();
  for (const auto& [data, size] : {std::pair<void*, size_t>{w.data(), w.size() * 4},
                                   {h.data(), h.size() * 2},
                                   {c.data(), c.size() * 4}}) {
    const auto* bytes = static_cast<const uint8_t*>(data);
    outcome.bytes.insert(outcome.bytes.end(), bytes, bytes + size);
  }
  return outcome;
}

Deeds random_deeds(std::mt19937& random, bool mixed) {
  const auto below = [&](uint32_t n) { return static_cast<uint32_t>(random() % n); };
  const uint32_t care = below(4);  // says how many of four handovers are there
  Deeds deeds;
  for (uint32_t t = 0; t < kTiles; ++t) deeds.push_back({Act::kFill, t, 0, t});
  const uint32_t steps = 2 + below(5);
  const auto acts = static_cast<uint32_t>(mixed ? Act::kActs : Act::kFeed);
  for (uint32_t i = 0; i < steps; ++i) {
    if (below(4) < care) deeds.push_back({Act::kSyncAll, 0, 0, 0});
    if (mixed && below(4) < care) deeds.push_back({Act::kToCube, 0, 0, 0});
    if (mixed && below(4) < care) deeds.push_back({Act::kToVectors, 0, 0, 0});
    deeds.push_back({static_cast<Act>(below(acts)), below(kTiles), below(3), below(4)});
  }
  deeds.push_back({Act::kStoreOwn, below(kTiles), 0, 0});
  return deeds;
}

bool nothing_blamed(const Deeds& deeds, bool mixed) {
  Checked checked;
  const Outcome seen = perform(deeds, mixed, 0, &checked);
  return seen.ok && checked.take_report({}).errors() == 0;
}

// The first order that changes a bit or ends the launch; 0: none does.
uint64_t telling_order(const Deeds& deeds, bool mixed) {
  const Outcome usual = perform(deeds, mixed, 0, nullptr);
  for (uint64_t seed = 1; seed <= kOrders; ++seed) {
    const Outcome other = perform(deeds, mixed, seed, nullptr);
    if (!other.ok || other.bytes != usual.bytes) return seed;
  }
  return 0;
}

Deeds fewest(Deeds deeds, bool mixed) {
  for (size_t i = 0; i < deeds.size();) {
    Deeds fewer = deeds;
    fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(i));
    if (nothing_blamed(fewer, mixed) && telling_order(fewer, mixed) != 0) {
      deeds = std::move(fewer);
      i = 0;
    } else {
      ++i;
    }
  }
  return deeds;
}

void hold_up(bool mixed, uint32_t seed, int kernels) {
  std::mt19937 random(seed);
  int right = 0, blamed = 0, differing = 0;
  for (int i = 0; i < kernels; ++i) {
    const Deeds deeds = random_deeds(random, mixed);
    const bool clean = nothing_blamed(deeds, mixed);
    const uint64_t order = telling_order(deeds, mixed);
    ++(clean ? right : blamed);
    differing += order != 0 ? 1 : 0;
    ASSERT_FALSE(clean && order != 0)
        << "kernel " << i << ", seed " << order << ": " << deeds_text(fewest(deeds, mixed));
  }
  // Both kinds must be there in numbers, or this proves nothing.
  EXPECT_GT(right, kernels / 10);
  EXPECT_GT(blamed, kernels / 10);
  EXPECT_GT(differing, kernels / 50);
}

TEST(OrderLaw, HoldsBetweenVectorCores) { hold_up(false, 20261201, 600); }

TEST(OrderLaw, HoldsBetweenCubeCoresAndTheirVectorCores) { hold_up(true, 20261202, 300); }

}  // namespace
}  // namespace opkit::core::test
