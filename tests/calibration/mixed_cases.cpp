#include "bench_core.h"
#include "cases.h"

using namespace AscendC;

namespace calibration {
namespace {

constexpr size_t kV = 1, kM = 2, kMte1 = 3, kMte2 = 4, kMte3 = 5, kFix = 6;

// Grouped int8 matmul with dequantisation and GELU: [8192,1024] x 8 x [1024,8192], results of
// 128 x 256 handed from the cube core to its vector cores through a ring in GM.
struct Quant {
  uint32_t lanes;  // vector cores per cube core
  uint32_t depth;  // results in the ring

  static constexpr uint32_t kCores = 24, kParts = 512, kResults = 4;  // results per part
  static constexpr uint32_t kRows = 128, kColumns = 256, kStep = 128, kSteps = 8, kSlice = 24;
  static constexpr uint32_t kResultBytes = kRows * kColumns * 4;
  static constexpr uint64_t kX = 8192ull * 1024, kW = 8 * kX, kScales = 8 * 8192 * 4,
                            kY = 8192ull * 8192 * 2;

  void cube(const std::vector<uint8_t*>& gm) const;
  void cube_result(const std::vector<uint8_t*>& gm, uint64_t w, uint32_t core,
                   uint32_t result) const;
  void vector(const std::vector<uint8_t*>& gm, uint32_t lane) const;
  void slice(const std::vector<uint8_t*>& gm, uint64_t from, uint64_t to, uint32_t rows,
             uint32_t number) const;
  // Parts of 128 x 1024 are dealt to the cores in turn.
  template <typename Body>
  void for_each_result(uint32_t core, const Body& body) const {
    uint32_t result = 0;
    for (uint32_t part = core; part < kParts; part += kCores) {
      for (uint32_t r = 0; r < kResults; ++r) body(part, r, result++);
    }
  }
};

void Quant::cube_result(const std::vector<uint8_t*>& gm, uint64_t w, uint32_t core,
                        uint32_t result) const {
  const bool first = result == 0;
  const uint64_t slot = (uint64_t{core} * depth + result % depth) * kResultBytes;
  for (uint32_t s = 0; s < kSteps; ++s) {
    const auto half = static_cast<int32_t>(s % 2), chunk = static_cast<int32_t>(s / 4);
    if (s % 4 == 0) {
      if (!first) WaitFlag<HardEvent::MTE1_MTE2>(chunk);
      copy_to_l1(gm[1] + w + static_cast<uint64_t>(chunk) * 131072, 131072);
      SetFlag<HardEvent::MTE2_MTE1>(chunk);
    }
    if (!first || s > 1) WaitFlag<HardEvent::M_MTE1>(half);
    if (s % 4 == 0) WaitFlag<HardEvent::MTE2_MTE1>(chunk);
    tell_load(OPK_MEM_L0A, kRows * kStep);
    tell_load(OPK_MEM_L0B, kColumns * kStep);
    if (s % 4 == 3) SetFlag<HardEvent::MTE1_MTE2>(chunk);
    SetFlag<HardEvent::MTE1_M>(half);
    WaitFlag<HardEvent::MTE1_M>(half);
    tell_mmad(kRows, kColumns, kStep, OPK_INT8);
    SetFlag<HardEvent::M_MTE1>(half);
  }
  SetFlag<HardEvent::M_FIX>(0);
  WaitFlag<HardEvent::M_FIX>(0);
  if (result >= depth) CrossCoreWaitFlag(1);
  tell_fixpipe(gm[3] + slot, kRows, kColumns * 4, kColumns * 4, kColumns);
}

void Quant::cube(const std::vector<uint8_t*>& gm) const {
  const auto core = static_cast<uint32_t>(GetBlockIdx());
  for_each_result(core, [&](uint32_t part, uint32_t r, uint32_t result) {
    const uint64_t row = part / 8, column = part % 8;
    if (r == 0) {  // all of K for these rows
      copy_rows_to_l1(gm[0] + row * kRows * 1024, kRows, 1024, 1024);
      SetFlag<HardEvent::MTE2_MTE1>(4);
      WaitFlag<HardEvent::MTE2_MTE1>(4);
    }
    const uint64_t w = ((row / 8) * 8192 + column * 1024 + r * kColumns) * 1024;
    cube_result(gm, w, core, result);
    CrossCoreSetFlag<2, PIPE_FIX>(0);
  });
}

// What is done to 24 rows of 256: twelve passes in about 17 instructions with a barrier each.
void Quant::slice(const std::vector<uint8_t*>& gm, uint64_t from, uint64_t to, uint32_t rows,
                  uint32_t number) const {
  constexpr UbOperand kDst = {0x10000, OPK_FLOAT32}, kSrc = {0x4200, OPK_FLOAT32};
  const auto id = static_cast<int32_t>(number % 2);
  if (number >= 2) WaitFlag<HardEvent::V_MTE2>(id);
  copy_rows_to_ub(gm[3] + from, rows, kColumns * 4, kColumns * 4);
  copy_rows_to_ub(gm[2], 1, rows * 4, rows * 4);
  SetFlag<HardEvent::MTE2_V>(id);
  WaitFlag<HardEvent::MTE2_V>(id);
  if (number >= 2) WaitFlag<HardEvent::MTE3_V>(id);
  const auto pass = [&](uint16_t op, uint32_t elements) {
    tell_vector(op, elements, {kDst, kSrc}, OPK_LANES_COUNT);
    PipeBarrier<PIPE_V>();
  };
  const uint32_t all = rows * kColumns;
  pass(OPK_V_ADDS, 192);  // Brcb
  pass(OPK_V_ADDS, all);
  pass(OPK_V_ADDS, 256);
  pass(OPK_V_CAST, all);
  for (int i = 0; i < 4; ++i) pass(OPK_V_MULS, all / 4);
  for (const uint16_t op :
       {OPK_V_ADDS, OPK_V_MULS, OPK_V_MULS, OPK_V_EXP, OPK_V_ADDS, OPK_V_DIV, OPK_V_CAST}) {
    pass(op, all);
  }
  SetFlag<HardEvent::V_MTE2>(id);
  SetFlag<HardEvent::V_MTE3>(id);
  WaitFlag<HardEvent::V_MTE3>(id);
  copy_rows_from_ub(gm[4] + to, rows, kColumns * 2, 16384);
  SetFlag<HardEvent::MTE3_V>(id);
}

void Quant::vector(const std::vector<uint8_t*>& gm, uint32_t lane) const {
  const auto core = static_cast<uint32_t>(GetBlockIdx()) / lanes;
  uint32_t slices = 0;
  for_each_result(core, [&](uint32_t part, uint32_t r, uint32_t result) {
    copy_rows_to_ub(gm[2], 1, 1024, 1024);
    CrossCoreWaitFlag(0);
    const uint64_t slot = (uint64_t{core} * depth + result % depth) * kResultBytes;
    for (uint32_t i = 0; i * kSlice < kRows; ++i) {
      if (i % lanes != lane) continue;
      const uint32_t rows = std::min(kSlice, kRows - i * kSlice);
      const uint64_t row = uint64_t{part / 8} * kRows + i * kSlice;
      slice(gm, slot + uint64_t{i} * kSlice * kColumns * 4,
            (row * 8192 + (part % 8) * 1024 + r * kColumns) * 2, rows, slices++);
    }
    CrossCoreSetFlag<2, PIPE_MTE2>(1);
  });
}

Prediction quant(uint32_t lanes, uint32_t depth) {
  BenchRun run;
  const Quant problem{lanes, depth};
  run.kernel = [=](const std::vector<uint8_t*>& gm) {
    const int lane = vector_lane();
    lane < 0 ? problem.cube(gm) : problem.vector(gm, static_cast<uint32_t>(lane));
  };
  run.task_type = lanes == 2 ? OPK_TASK_MIX_1_2 : OPK_TASK_MIX_1_1;
  run.blocks = Quant::kCores;
  run.tensors = {Quant::kX, Quant::kW, Quant::kScales,
                 uint64_t{Quant::kCores} * depth * Quant::kResultBytes, Quant::kY};
  run.warm_runs = 0;
  const auto result = time_of(run);
  return {static_cast<double>(result.task_ns) / 1000, result};
}

}  // namespace

std::vector<Case> mixed_cases() {
  return {
      {"Q0",
       "int8 matmul, dequantise, GELU: 1 vector core each, ring of 1",
       583.512,
       [] { return quant(1, 1); },
       {{kM, 192.02},
        {kMte1, 168.645},
        {kMte2, 141.648, true},
        {kFix, 79.47},
        {kV, 471.71},
        {kMte2, 139.25, false, true},
        {kMte3, 94.682}}},
      {"Q2",
       "2 vector cores each, ring of 4",
       299.286,
       [] { return quant(2, 4); },
       {{kM, 193.576},
        {kMte1, 173.003},
        {kMte2, 170.193, true},
        {kFix, 167.936},
        {kV, 235.872},
        {kMte2, 99.321, false, true},
        {kMte3, 56.645}}},
  };
}

}  // namespace calibration
