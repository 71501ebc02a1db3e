#include "bench_core.h"
#include "cases.h"

using namespace AscendC;

namespace calibration {
namespace {

// Microseconds before the Matmul API's first copy (G2, the vendor's simulator).
constexpr double kRunTimeHead = 3.536, kCompileTimeHead = 2.185;

constexpr size_t kM = 2, kMte1 = 3, kMte2 = 4, kFix = 6;

// A matmul of halves as the published kernels do it: per output block a loop over K steps; A and B
// arrive in chunks of several steps through L1, and step by step through L0.
struct Matmul {
  uint64_t m = 8192, n = 8192, k = 8192;
  uint32_t blocks_m = 4, blocks_n = 6, single_m = 2048, single_n = 1536;
  uint32_t base_m = 128, base_n = 256, base_k = 64;
  uint32_t step_a = 1, step_b = 1;  // K steps per chunk
  uint32_t buffers = 1;             // chunks of A and of B in L1
  uint32_t loads_b = 1;             // instructions that move one step of B to L0B
  uint32_t rounds_m = 1;            // single_m is done in so many parts, B again for each
  uint32_t output_bytes = 2;        // measures an element of C
  bool unit_flag = false;
  bool b_transposed = true;            // B lies as [N, K]
  uint32_t most_outputs = UINT32_MAX;  // stop early: the rest repeats itself

  void run(const std::vector<uint8_t*>& gm) const;
  void output(const std::vector<uint8_t*>& gm, uint64_t row, uint64_t column, uint32_t rows,
              uint32_t columns, bool first) const;
};

// L1 buffers of one operand: flags MTE2 -> MTE1 when loaded, back when free.
struct Chunks {
  uint32_t steps, buffers;
  int32_t first_id;
  uint32_t loaded = 0;

  int32_t id(uint32_t chunk) const { return first_id + static_cast<int32_t>(chunk % buffers); }
};

void Matmul::output(const std::vector<uint8_t*>& gm, uint64_t row, uint64_t column, uint32_t rows,
                    uint32_t columns, bool first) const {
  const auto steps = static_cast<uint32_t>(k / base_k);
  Chunks a{step_a, buffers, 0}, b{step_b, buffers, 4};
  const auto load = [&](Chunks& c, const uint8_t* base, uint64_t line, uint32_t lines) {
    const uint32_t chunk = c.loaded++;
    if (uint64_t{chunk} * c.steps >= steps) return;
    if (!first || chunk >= buffers) WaitFlag<HardEvent::MTE1_MTE2>(c.id(chunk));
    const uint32_t bytes = std::min(c.steps, steps - chunk * c.steps) * base_k * 2;
    copy_rows_to_l1(
        const_cast<uint8_t*>(base) + line * k * 2 + uint64_t{chunk} * c.steps * base_k * 2, lines,
        bytes, k * 2);
    SetFlag<HardEvent::MTE2_MTE1>(c.id(chunk));
  };
  const auto load_a = [&] { load(a, gm[0], row, rows); };
  // B as [K, N]: rows of the block's columns, as many as the chunk has lines of K.
  const auto load_rows_of_b = [&] {
    const uint32_t chunk = b.loaded++;
    if (uint64_t{chunk} * b.steps >= steps) return;
    if (!first || chunk >= buffers) WaitFlag<HardEvent::MTE1_MTE2>(b.id(chunk));
    const uint64_t line = uint64_t{chunk} * b.steps * base_k;
    copy_rows_to_l1(gm[1] + (line * n + column) * 2,
                    std::min(b.steps, steps - chunk * b.steps) * base_k, columns * 2, n * 2);
    SetFlag<HardEvent::MTE2_MTE1>(b.id(chunk));
  };
  const auto load_b = [&] { b_transposed ? load(b, gm[1], column, columns) : load_rows_of_b(); };
  load_a();
  load_b();
  for (uint32_t s = 0; s < steps; ++s) {
    const int32_t slot = static_cast<int32_t>(s % 2);
    if (!first || s >= 2) WaitFlag<HardEvent::M_MTE1>(slot);
    if (s % step_a == 0) WaitFlag<HardEvent::MTE2_MTE1>(a.id(s / step_a));
    if (s % step_b == 0) WaitFlag<HardEvent::MTE2_MTE1>(b.id(s / step_b));
    tell_load(OPK_MEM_L0A, rows * base_k * 2);
    for (uint32_t i = 0; i < loads_b; ++i) tell_load(OPK_MEM_L0B, columns * base_k * 2 / loads_b);
    if ((s + 1) % step_a == 0 || s + 1 == steps) SetFlag<HardEvent::MTE1_MTE2>(a.id(s / step_a));
    if ((s + 1) % step_b == 0 || s + 1 == steps) SetFlag<HardEvent::MTE1_MTE2>(b.id(s / step_b));
    SetFlag<HardEvent::MTE1_M>(slot);
    WaitFlag<HardEvent::MTE1_M>(slot);
    if (s == 0 && !first && !unit_flag) WaitFlag<HardEvent::FIX_M>(0);
    tell_mmad(rows, columns, base_k, OPK_FLOAT16);
    SetFlag<HardEvent::M_MTE1>(slot);
    if (buffers > 1 ? s == 0 || (s + 1) % step_b == 0 : true) load_b();
    if (buffers > 1 ? s == 0 || (s + 1) % step_a == 0 : true) load_a();
  }
  SetFlag<HardEvent::M_FIX>(0);
  WaitFlag<HardEvent::M_FIX>(0);
  tell_fixpipe(gm[2] + (row * n + column) * output_bytes, rows, columns * output_bytes,
               n * output_bytes, columns);
  if (!unit_flag) SetFlag<HardEvent::FIX_M>(0);
}

void Matmul::run(const std::vector<uint8_t*>& gm) const {
  const auto block = static_cast<uint64_t>(GetBlockIdx());
  const uint64_t m0 = block / blocks_n * single_m, n0 = block % blocks_n * single_n;
  const uint64_t m1 = std::min<uint64_t>(m0 + single_m, m);
  const uint64_t n1 = std::min<uint64_t>(n0 + single_n, n);
  const uint64_t part = (m1 - m0) / rounds_m;
  bool first = true;
  uint32_t outputs = 0;
  for (uint64_t from = m0; from < m1; from += part) {
    for (uint64_t c = n0; c < n1; c += base_n) {
      for (uint64_t r = from; r < std::min(from + part, m1); r += base_m) {
        if (outputs++ == most_outputs) return;
        output(gm, r, c, static_cast<uint32_t>(std::min<uint64_t>(base_m, m1 - r)),
               static_cast<uint32_t>(std::min<uint64_t>(base_n, n1 - c)), first);
        first = false;
      }
    }
  }
}

opkit::core::TimedResult timed(const Matmul& matmul, uint32_t warm_runs) {
  BenchRun run;
  run.kernel = [&](const std::vector<uint8_t*>& gm) { matmul.run(gm); };
  run.task_type = OPK_TASK_AIC_ONLY;
  run.blocks = matmul.blocks_m * matmul.blocks_n;
  run.tensors = {matmul.m * matmul.k * 2, matmul.n * matmul.k * 2,
                 matmul.m * matmul.n * matmul.output_bytes};
  run.warm_runs = warm_runs;
  return time_of(run);
}

Prediction task(const Matmul& matmul) {
  const auto result = timed(matmul, 0);
  return {static_cast<double>(result.task_ns) / 1000, result};
}

Prediction slowest_core(const Matmul& matmul, uint32_t warm_runs = 0, double scale = 1) {
  const auto result = timed(matmul, warm_runs);
  return {static_cast<double>(result.cycles) / result.rates.frequency_mhz * scale, result, scale};
}

Matmul depth_one() { return {}; }

Matmul big_packets() {
  Matmul matmul;
  matmul.step_a = 8;
  matmul.step_b = 4;
  matmul.buffers = 2;
  return matmul;
}

// One core computes all of C in blocks of 64 x 64; 64 of the 16384 blocks stand for all.
Matmul one_core() {
  Matmul matmul;
  matmul.blocks_m = matmul.blocks_n = 1;
  matmul.single_m = matmul.single_n = 8192;
  matmul.base_m = matmul.base_n = 64;
  matmul.most_outputs = 64;
  return matmul;
}

Matmul basic_api() {
  Matmul matmul = big_packets();
  matmul.loads_b = 4;
  matmul.unit_flag = true;
  return matmul;
}

Matmul l2_cut() {
  Matmul matmul = big_packets();
  matmul.unit_flag = true;
  matmul.rounds_m = 2;
  return matmul;
}

Matmul wide(bool packets) {
  Matmul matmul;
  matmul.m = 128;
  matmul.n = 30720;
  matmul.k = 1024;
  matmul.blocks_m = 1;
  matmul.blocks_n = 24;
  matmul.single_m = 128;
  matmul.single_n = 1280;
  matmul.output_bytes = 4;
  if (packets) matmul.step_a = matmul.step_b = 4, matmul.buffers = 2;
  return matmul;
}

// With the head of the Matmul API, which is scalar time before the first copy: published, not
// modelled.
Prediction with_head(const Matmul& matmul, double head_us) {
  Prediction prediction = slowest_core(matmul);
  prediction.us += head_us;
  return prediction;
}

Matmul short_k() {
  Matmul matmul = wide(true);
  matmul.k = 64;
  return matmul;
}

// B is 16 columns wide and not transposed: K rows of 32 bytes.
Prediction tiny(uint32_t cores) {
  BenchRun run;
  const uint32_t k = 1024 / cores;
  run.kernel = [=](const std::vector<uint8_t*>& gm) {
    const uint64_t first = static_cast<uint64_t>(GetBlockIdx()) * k;
    copy_rows_to_l1(gm[0] + first * 2, 16, k * 2, 2048);
    copy_rows_to_l1(gm[1] + first * 32, k, 32, 32);
    SetFlag<HardEvent::MTE2_MTE1>(0);
    WaitFlag<HardEvent::MTE2_MTE1>(0);
    tell_load(OPK_MEM_L0A, 16 * k * 2);
    tell_load(OPK_MEM_L0B, 16 * k * 2);
    SetFlag<HardEvent::MTE1_M>(0);
    WaitFlag<HardEvent::MTE1_M>(0);
    tell_mmad(16, 16, k, OPK_FLOAT16);
    SetFlag<HardEvent::M_FIX>(0);
    WaitFlag<HardEvent::M_FIX>(0);
    tell_fixpipe(gm[2], 16, 64, 64, 16);
  };
  run.task_type = OPK_TASK_AIC_ONLY;
  run.blocks = cores;
  run.tensors = {32768, 32768, 1024};
  run.warm_runs = 0;
  const auto result = time_of(run);
  return {static_cast<double>(result.cycles) / result.rates.frequency_mhz + kRunTimeHead, result};
}

Prediction mte2_of(const Matmul& matmul) {
  Prediction prediction = task(matmul);
  uint64_t cycles = 0;
  for (const auto& core : prediction.result.cores) cycles += core.pipes[kMte2].busy;
  prediction.us = static_cast<double>(cycles) / prediction.result.rates.frequency_mhz /
                  static_cast<double>(prediction.result.cores.size());
  return prediction;
}

Matmul guide(uint32_t base_m, uint32_t base_n, uint32_t base_k) {
  Matmul matmul;
  matmul.m = 4096;
  matmul.n = 5120;
  matmul.k = 4096;
  matmul.blocks_m = 4;
  matmul.blocks_n = 5;
  matmul.single_m = matmul.single_n = 1024;
  matmul.base_m = base_m;
  matmul.base_n = base_n;
  matmul.base_k = base_k;
  matmul.output_bytes = 4;
  matmul.b_transposed = false;
  matmul.buffers = 2;
  return matmul;
}

Matmul four_cores() {
  Matmul matmul = guide(64, 64, 256);
  matmul.blocks_m = matmul.blocks_n = 2;
  matmul.single_m = 2048;
  matmul.single_n = 2560;
  return matmul;
}

Matmul guide_packets() {
  Matmul matmul = guide(128, 256, 64);
  matmul.step_a = 8;
  matmul.step_b = 4;
  matmul.buffers = 2;
  return matmul;
}

}  // namespace

std::vector<Case> cube_cases() {
  return {
      {"M0",
       "matmul 8192^3 half, 1 core, 64x64x64, depth 1",
       759363.98,
       [] { return slowest_core(one_core(), 1, 256); },  // warm: A was read before
       {{kM, 141699.459}, {kMte1, 162104.184}, {kMte2, 582515.828}, {kFix, 34303.063}}},
      {"M3",
       "24 cores, 128x256x64, depth 1",
       12283.84,
       [] { return task(depth_one()); },
       {{kM, 3394.884}, {kMte1, 2166.824}, {kMte2, 8616.671}, {kFix, 488.829}}},
      {"M5",
       "big packets, double buffer in L1",
       4156.76,
       [] { return task(big_packets()); },
       {{kM, 3352.087}, {kMte1, 2750.454}, {kMte2, 3778.555}, {kFix, 47.853}}},
      {"M8",
       "M in two rounds, UnitFlag",
       4012.44,
       [] { return task(l2_cut()); },
       {{kM, 3076.396}, {kMte1, 2533.512}, {kMte2, 3435.584}, {kFix, 272.576}}},
      {"B1",
       "basic API, UnitFlag",
       4121.16,
       [] { return task(basic_api()); },
       {{kM, 3081.664}, {kMte1, 2538.348}, {kMte2, 3552.248}, {kFix, 160.405}}},
      {"G1a", "128x30720x1024, depth 1 (slowest core)", 83.68,
       [] { return slowest_core(wide(false)); }},
      {"G1b", "the same, big packets (slowest core)", 53.4,
       [] { return slowest_core(wide(true)); }},
      {"G2a", "128x30720x64, run-time tiling (slowest core, published head)", 10.62,
       [] { return with_head(short_k(), kRunTimeHead); }},
      {"G2b", "the same, compile-time tiling", 7.87,
       [] { return with_head(short_k(), kCompileTimeHead); }},
      {"G3a", "4096x5120x4096, 4 cores, 64x64x256", 12045, [] { return task(four_cores()); }},
      {"G3b", "20 cores", 2532, [] { return task(guide(64, 64, 256)); }, {{kMte2, 2452}}},
      {"G3c", "20 cores, 128x256x64 (MTE2)", 808, [] { return mte2_of(guide(128, 256, 64)); }},
      {"G3d", "big packets (MTE2)", 591, [] { return mte2_of(guide_packets()); }},
      {"G4a",
       "16x16x1024, 1 core (published head)",
       19.6,
       [] { return tiny(1); },
       {{kMte2, 13.72}}},
      {"G4b", "K over 2 cores (published head)", 13.7, [] { return tiny(2); }},
  };
}

}  // namespace calibration
