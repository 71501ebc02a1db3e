#include "bench_core.h"
#include "cases.h"

using namespace AscendC;

namespace calibration {
namespace {

constexpr uint64_t kRows = 8192, kColumns = 8192, kTensor = kRows * kColumns * 2;

constexpr size_t kS = 0, kV = 1, kMte2 = 4, kMte3 = 5;

Prediction task_us(const opkit::core::TimedResult& r) {
  return {static_cast<double>(r.task_ns) / 1000, r};
}
Prediction core_us(const opkit::core::TimedResult& r) {
  return {static_cast<double>(r.cycles) / r.rates.frequency_mhz, r};
}

void copy(bool in, uint8_t* gm, uint32_t ub, uint32_t bytes) {
  LocalTensor<half> local(in ? TPosition::VECIN : TPosition::VECOUT, ub, bytes / 2);
  GlobalTensor<half> global;
  global.SetGlobalBuffer(reinterpret_cast<half*>(gm));
  if (in) {
    DataCopy(local, global, bytes / 2);
  } else {
    DataCopy(global, local, bytes / 2);
  }
}

// The part of this block: rows are dealt as evenly as possible.
struct Part {
  uint64_t first, bytes;
};
Part part_of(uint64_t rows, uint64_t row_bytes) {
  const auto block = static_cast<uint64_t>(GetBlockIdx());
  const auto blocks = static_cast<uint64_t>(GetBlockNum());
  const uint64_t base = rows / blocks, more = rows % blocks;
  const uint64_t first = block * base + std::min(block, more);
  return {first * row_bytes, (base + (block < more)) * row_bytes};
}

// x, y, z of one buffer set in UB.
struct Set {
  uint32_t x, y, z;
};

void add_tiles(const std::vector<uint8_t*>& gm, uint32_t tile_bytes, const std::vector<Set>& sets) {
  const Part part = part_of(kRows, kColumns * 2);
  const auto count = static_cast<uint32_t>((part.bytes + tile_bytes - 1) / tile_bytes);
  const auto n = static_cast<uint32_t>(sets.size());
  for (uint32_t i = 0; i < count; ++i) {
    const uint64_t at = uint64_t{i} * tile_bytes;
    const auto bytes = static_cast<uint32_t>(std::min<uint64_t>(tile_bytes, part.bytes - at));
    const auto id = static_cast<int32_t>(i % n);
    const Set& set = sets[i % n];
    if (i >= n) WaitFlag<HardEvent::V_MTE2>(id);
    copy(true, gm[0] + part.first + at, set.x, bytes);
    copy(true, gm[1] + part.first + at, set.y, bytes);
    SetFlag<HardEvent::MTE2_V>(id);
    WaitFlag<HardEvent::MTE2_V>(id);
    if (i >= n) WaitFlag<HardEvent::MTE3_V>(id);
    tell_vector(OPK_V_ADD, bytes / 2,
                {{set.z, OPK_FLOAT16}, {set.x, OPK_FLOAT16}, {set.y, OPK_FLOAT16}});
    SetFlag<HardEvent::V_MTE2>(id);
    SetFlag<HardEvent::V_MTE3>(id);
    WaitFlag<HardEvent::V_MTE3>(id);
    copy(false, gm[2] + part.first + at, set.z, bytes);
    SetFlag<HardEvent::MTE3_V>(id);
  }
}

Prediction add_case(uint32_t blocks, uint32_t elements, uint32_t sets, bool uncached) {
  BenchRun run;
  const uint32_t bytes = elements * 2;
  std::vector<Set> places;
  for (uint32_t s = 0; s < sets; ++s) {
    const uint32_t base = s * 3 * 32768;
    places.push_back({base, base + 32768, base + 65536});
  }
  run.kernel = [=](const std::vector<uint8_t*>& gm) { add_tiles(gm, bytes, places); };
  run.blocks = blocks;
  run.tensors = {kTensor, kTensor, kTensor};
  if (uncached) run.uncached = {"t0", "t1"};
  return task_us(time_of(run));
}

// 1000 Adds of 4096 floats between two barriers; the published unit is the 50 MHz tick.
Prediction bank_case(uint32_t src0, uint32_t src1, uint32_t dst) {
  BenchRun run;
  run.kernel = [=](const std::vector<uint8_t*>&) {
    PipeBarrier<PIPE_ALL>();
    for (int i = 0; i < 1000; ++i) {
      tell_vector(OPK_V_ADD, 4096, {{dst, OPK_FLOAT32}, {src0, OPK_FLOAT32}, {src1, OPK_FLOAT32}});
    }
    PipeBarrier<PIPE_ALL>();
  };
  return core_us(time_of(run));
}

// The scalar loop: two GetValue and a SetValue per element; 16 of the 16384 tiles stand for all.
Prediction scalar_add() {
  constexpr uint32_t kElements = 4096, kTiles = 16;
  constexpr double kScale = kRows * kColumns / (double{kElements} * kTiles);
  BenchRun run;
  run.kernel = [](const std::vector<uint8_t*>& gm) {
    for (uint32_t i = 0; i < kTiles; ++i) {
      const uint64_t at = uint64_t{i} * kElements * 2;
      if (i) WaitFlag<HardEvent::S_MTE2>(0);
      copy(true, gm[0] + at, 0, kElements * 2);
      copy(true, gm[1] + at, 32768, kElements * 2);
      SetFlag<HardEvent::MTE2_S>(0);
      WaitFlag<HardEvent::MTE2_S>(0);
      if (i) WaitFlag<HardEvent::MTE3_S>(0);
      for (uint32_t k = 0; k < kElements; ++k) {
        for (int access = 0; access < 3; ++access) tell_scalar(k * 2, access == 2);
      }
      SetFlag<HardEvent::S_MTE2>(0);
      SetFlag<HardEvent::S_MTE3>(0);
      WaitFlag<HardEvent::S_MTE3>(0);
      copy(false, gm[2] + at, 65536, kElements * 2);
      SetFlag<HardEvent::MTE3_S>(0);
    }
  };
  run.tensors = {kTensor, kTensor, kTensor};
  run.warm_runs = 0;
  const auto result = time_of(run);
  return {static_cast<double>(result.cycles) / result.rates.frequency_mhz * kScale, result, kScale};
}

struct Step {
  uint16_t op;
  uint32_t elements;
};
Prediction reduce_case(const std::vector<Step>& steps) {
  BenchRun run;
  run.kernel = [=](const std::vector<uint8_t*>&) {
    for (int i = 0; i < 100; ++i) {
      for (const Step& step : steps) {
        tell_vector(step.op, step.elements, {{0, OPK_FLOAT32}, {0x10000, OPK_FLOAT32}},
                    OPK_LANES_REGISTER);
        PipeBarrier<PIPE_V>();
      }
    }
  };
  return core_us(time_of(run));
}

// 30000 floats to one, the load included: nothing fences the published timer reads against it.
Prediction reduce_all(const std::vector<Step>& steps) {
  BenchRun run;
  run.kernel = [=](const std::vector<uint8_t*>& gm) {
    copy(true, gm[0], 0, 120000);
    SetFlag<HardEvent::MTE2_V>(0);
    WaitFlag<HardEvent::MTE2_V>(0);
    for (const Step& step : steps) {
      tell_vector(step.op, step.elements, {{0, OPK_FLOAT32}, {0x10000, OPK_FLOAT32}},
                  OPK_LANES_REGISTER);
      PipeBarrier<PIPE_V>();
    }
  };
  run.tensors = {1 << 20};
  run.warm_runs = 0;
  return core_us(time_of(run));
}

std::vector<Step> halving() {
  std::vector<Step> steps;
  for (uint32_t n = 30000; n > 64; n = (n + 1) / 2) steps.push_back({OPK_V_ADD, (n + 1) / 2});
  steps.push_back({OPK_V_WHOLE_REDUCE_SUM, 64});
  return steps;
}

}  // namespace

std::vector<Case> vector_cases() {
  constexpr uint16_t kRepeat = OPK_V_WHOLE_REDUCE_SUM, kBlock = OPK_V_BLOCK_REDUCE_SUM;
  return {
      {"A0",
       "Add 8192x8192 half, 1 core, element by element",
       1239689.1,
       scalar_add,
       {{kS, 1233742.494}, {kMte2, 5916.341}, {kMte3, 2485.465}}},
      {"A1",
       "Add 8192x8192 half, 1 core, tiles of 4096",
       6909.6,
       [] { return add_case(1, 4096, 1, false); },
       {{kV, 761.65}, {kMte2, 6208.762}, {kMte3, 2613.205}}},
      {"A3",
       "the same, 48 cores, tiles of 16384",
       268.5,
       [] { return add_case(48, 16384, 1, false); },
       {{kV, 12.845}, {kMte2, 184.369}, {kMte3, 57.354}}},
      {"A5",
       "double buffer, inputs bypass L2",
       187.68,
       [] { return add_case(48, 16384, 2, true); },
       {{kV, 12.846}, {kMte2, 175.997}, {kMte3, 160.291}}},
      {"K1", "1000 Adds, no bank conflict", 2390 * 0.02,
       [] { return bank_case(0x0, 0x10100, 0x20000); }},
      {"K2", "read-read conflict", 4167 * 0.02, [] { return bank_case(0x0, 0x4000, 0x10000); }},
      {"K4", "write delayed by one repeat", 2389 * 0.02,
       [] { return bank_case(0x0, 0x10100, 0x4000); }},
      {"K5", "read-write conflict", 3751 * 0.02, [] { return bank_case(0x0, 0x10100, 0x4020); }},
      {"R1", "256 floats: two repeat reductions, 100 times", 13,
       [] {
         return reduce_case({{kRepeat, 256}, {kRepeat, 4}});
       }},
      {"R2", "three block reductions", 13.94,
       [] {
         return reduce_case({{kBlock, 256}, {kBlock, 32}, {kBlock, 4}});
       }},
      {"R3", "block reduction, repeat reduction", 8.44,
       [] {
         return reduce_case({{kBlock, 256}, {kRepeat, 32}});
       }},
      {"R4", "30000 floats to one: halving with Add, with the load", 172 * 0.02,
       [] { return reduce_all(halving()); }},
      {"R5", "the same: repeat reduction three times", 242 * 0.02,
       [] {
         return reduce_all({{kRepeat, 30000}, {kRepeat, 469}, {kRepeat, 8}});
       }},
  };
}

}  // namespace calibration
