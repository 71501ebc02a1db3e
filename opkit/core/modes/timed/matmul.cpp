// What a Matmul object keeps the pipes busy with, made out of its tiling: per base block of K a
// load into L0A and L0B and an Mmad; copies into L1 of one base block, or of stepM x stepKa (MDL),
// as many at a time as depthA1 and depthB1 leave room for; a Fixpipe per block of C. Flags between
// the pipes as a kernel by the basic API sets them. (Vendor's pages "TCubeTiling结构体",
// "MatmulConfig"; the pipeline of the example matmul_high_performance.)
#include <algorithm>

#include "opkit/core/isa/cube/matrix.h"
#include "opkit/core/isa/cube/sparse_matrix.h"
#include "opkit/core/modes/timed/cost.h"
#include "opkit/core/modes/timed/recorder.h"
#include "opkit/core/state/launch.h"

namespace opkit::core::timed {
namespace {

uint64_t rounded_up(uint64_t value, uint64_t unit) { return (value + unit - 1) / unit * unit; }

// Returns the tiling, with what was not told filled in.
opk_matmul_steps completed(const MatmulCall& x, const Core& core) {
  opk_matmul_steps s = x.steps;
  const uint64_t bits = dtype_bits(x.a.data.dtype);
  if (!s.base_m) s.base_m = x.m;
  if (!s.base_n) s.base_n = x.n;
  s.single_m = std::max(s.single_m, x.a.row0 + x.m);
  s.single_n = std::max(s.single_n, x.b.col0 + x.n);
  const uint64_t a = core.memory_size[OPK_MEM_L0A], b = core.memory_size[OPK_MEM_L0B];
  if (!s.base_k && a && b) {
    const uint64_t most =
        std::min(a / rounded_up(s.base_m, 16), b / rounded_up(s.base_n, 16)) * 8 / (2 * bits);
    s.base_k = static_cast<uint32_t>(std::max<uint64_t>(most / 16 * 16, 16));
  }
  if (!s.base_k) s.base_k = 64;
  for (uint16_t* part :
       {&s.step_m, &s.step_n, &s.step_ka, &s.step_kb, &s.buffers_a1, &s.buffers_b1})
    *part = std::max<uint16_t>(*part, 1);
  for (uint8_t* db : {&s.db_l0a, &s.db_l0b}) *db = *db == 0 ? 2 : std::min<uint8_t>(*db, 2);
  s.db_l0c = std::clamp<uint8_t>(s.db_l0c, 1, 2);
  return s;
}

// Panels of FRACTAL_NZ in GM are long rows.
Access as_rows(const opk_matrix& m, uint32_t rows, uint32_t cols) {
  Access a = matrix_access(m, rows, cols);
  if (!m.nz) return a;
  a.block_bytes *= a.blocks;
  a.blocks = a.repeats;
  a.block_pitch = a.repeat_pitch;
  a.repeats = 1;
  return a;
}

Access row_of(const opk_operand& o, uint64_t bytes) {
  Access a;
  a.memory = static_cast<opk_memory>(o.memory);
  a.address = static_cast<const uint8_t*>(o.address);
  a.block_bytes = static_cast<uint32_t>(bytes);
  a.buffer = o.buffer;
  return a;
}

}  // namespace

// Writes down one call of an object.
class CubeWork {
 public:
  CubeWork(Recorder& recorder, Core& caller, const Footprint& f)
      : r_(recorder),
        core_(caller),
        record_(recorder.record_of(caller)),
        live_(recorder.live_of(caller).cube),
        x_(*static_cast<const MatmulCall*>(f.instruction)),
        s_(completed(x_, caller)),
        // The cube core of a mixed launch works for its vector cores.
        served_(caller.kind == OPK_CORE_AIV && caller.launch->has_cube_lane()),
        events_(served_ ? record_.served : record_.events),
        traffic_(served_ ? record_.served_traffic : record_.times.traffic),
        site_(recorder.site(f.pc, f.name)) {}

  void write_down() {
    if (x_.compute) compute();
    if (x_.store) store();
    if (served_) hand_over();
    if (x_.steps.wait && core_.kind != OPK_CORE_AIC) wait_for_all();
    if (x_.store && x_.c.memory == OPK_MEM_UB && served_) fetch_c();
  }

 private:
  void run(uint8_t pipe, uint64_t cycles, uint32_t after_idle = 0) {
    Recorder::push(events_, EventType::kRun, pipe, r_.rates_.issue, site_, narrow(cycles),
                   after_idle);
  }
  uint32_t set(uint8_t pipe) {
    const uint32_t signal = r_.recording_.signals++;
    Recorder::push(events_, EventType::kSet, pipe, r_.rates_.issue_flag, site_, signal);
    return live_.last = signal + 1;
  }
  void wait(uint8_t pipe, uint8_t from, uint32_t signal) {
    if (!signal) return;
    Recorder::push(events_, EventType::kWait, pipe, r_.rates_.issue_flag, site_, signal - 1, 0,
                   from);
  }

  // Counts the copy of an operand from GM to L1. From UB there is no way but through GM. `to` is
  // the pipe that needs it.
  void bring_for(uint8_t to, const Access& from, uint64_t bytes, bool to_nz) {
    if (from.memory == OPK_MEM_L1) return;
    bring(from, bytes, to_nz);
    const uint8_t by = from.memory == OPK_MEM_UB && !served_ ? kMte3 : kMte2;
    wait(to, by, set(by));
  }
  void bring(const Access& from, uint64_t bytes, bool to_nz) {
    if (from.memory == OPK_MEM_GM) {
      traffic_.gm_to_l1 += bytes;
      return r_.transfer(events_, kMte2, site_, from, to_nz ? r_.nd2nz_rate(from) : 0, 0);
    }
    if (!served_) {
      traffic_.ub_to_l1 += bytes;
      return run(kMte3, at_rate(bytes, r_.rates_.l1_to_l0b));
    }
    record_.times.traffic.ub_to_gm += bytes;
    traffic_.gm_to_l1 += bytes;
    Recorder::push(record_.events, EventType::kRun, kMte3, r_.rates_.issue, site_,
                   narrow(at_rate(bytes, r_.rates_.gm_write)));
    const uint32_t written = r_.set_signal(core_, kMte3, nullptr, "Matmul");
    r_.push(core_, EventType::kWait, kScalar, r_.rates_.issue_flag, site_, written, 0, kMte3);
    run(kMte2, at_rate(bytes, r_.rates_.l2_read));
  }

  struct Operand {
    opk_matrix matrix;
    BufferRing& ring;
    uint32_t buffers;
    bool is_a;
    uint32_t first;         // row of A, column of B
    uint32_t lines, along;  // base blocks' lines that come at once, all lines
    uint32_t depth;         // values of K that come at once
  };
  Operand left(MatmulObject& o) {
    return {x_.a,          o.a1,
            s_.buffers_a1, true,
            x_.a.row0,     s_.base_m * s_.step_m,
            s_.single_m,   s_.base_k * s_.step_ka};
  }
  Operand right(MatmulObject& o) {
    return {x_.b,          o.b1,
            s_.buffers_b1, false,
            x_.b.col0,     s_.base_n * s_.step_n,
            s_.single_n,   s_.base_k * s_.step_kb};
  }

  // Returns the buffer of L1 that holds the part with value k0 of K; brings it when it is not
  // there.
  CubeBuffer& in_l1(Operand& o, uint32_t k0) {
    const uint32_t group = o.first / o.lines, chunk = k0 / o.depth;
    const uint64_t what = (uint64_t{group} << 32 | chunk) + 1;
    if (CubeBuffer* there = o.ring.find(what)) return *there;
    CubeBuffer& buffer = o.ring.next();
    buffer.holds = what;
    wait(kMte2, kMte1, buffer.freed);
    const uint32_t from = group * o.lines, k = chunk * o.depth;
    const uint32_t lines = std::min(o.lines, o.along - from), depth = std::min(o.depth, x_.k - k);
    opk_matrix part = o.matrix;
    const uint32_t kept = o.is_a ? 1 : thinned_;
    (o.is_a ? part.row0 : part.col0) = from;
    (o.is_a ? part.col0 : part.row0) += k / kept;
    bring_for(kMte1, as_rows(part, o.is_a ? lines : depth / kept, o.is_a ? depth : lines),
              matrix_bytes(part, uint64_t{lines} * (depth / kept)), !part.nz);
    if (kept == 2) bring_index(lines, from, depth, k);
    return buffer;
  }
  // Two bits of index for every value of a sparse B.
  void bring_index(uint32_t lines, uint32_t from, uint32_t depth, uint32_t k) {
    MatmulCall part = x_;
    part.n = lines;
    part.k = depth;
    part.index.col0 = from;
    Access access = index_access(part);
    access.address += k / 64 * access.block_pitch;
    bring_for(kMte1, access, uint64_t{lines} * depth / 8, false);
  }

  void bring_bias() {
    if (!x_.bias.address || x_.accumulate) return;
    const uint64_t bytes = uint64_t{x_.n} * dtype_bytes(x_.bias.dtype);
    bring_for(kMte1, row_of(x_.bias, bytes), bytes, false);
    traffic_.l1_to_other += bytes;
    run(kMte1, r_.rates_.load_head + at_rate(bytes, r_.rates_.l1_to_bt));
  }

  void load_l0(uint32_t k) {
    const uint64_t unit = std::max<uint64_t>(c0_of(x_.a), 16);
    const uint64_t a = matrix_bytes(x_.a, rounded_up(x_.m, 16) * rounded_up(k, unit));
    const uint64_t b = matrix_bytes(x_.b, rounded_up(x_.n, 16) * rounded_up(k / thinned_, unit));
    traffic_.l1_to_l0a += a;
    traffic_.l1_to_l0b += b;
    run(kMte1, r_.rates_.load_head + at_rate(a, r_.rates_.l1_to_l0a));
    run(kMte1, r_.rates_.load_head + at_rate(b, r_.rates_.l1_to_l0b));
  }

  void multiply(uint32_t k) {
    opk_mmad_v1 m{};
    m.m = static_cast<uint16_t>(std::min(x_.m, 65535u));
    m.n = static_cast<uint16_t>(std::min(x_.n, 65535u));
    m.k = static_cast<uint16_t>(std::min(k, 65535u));
    m.hf32 = x_.hf32;
    m.a = x_.a.data;
    m.k_layout = thinned_ == 2 ? OPK_K_SPARSE : OPK_K_PLAIN;
    const MmadCost cost = mmad_cost(r_.rates_, m);
    traffic_.cube_operations += cost.operations;
    run(kCube, cost.cycles + r_.rates_.mmad_step, r_.rates_.mmad_head);
  }

  void compute() {
    MatmulObject& object = live_.of(x_.owner);
    Operand a = left(object), b = right(object);
    for (Operand* o : {&a, &b}) {
      o->ring.resize(o->buffers);
      if (x_.steps.restart) o->ring.empty();
    }
    if (!x_.accumulate || object.c < 0) object.c = static_cast<int>(live_.next_c++ % s_.db_l0c);
    bring_bias();
    for (uint32_t k0 = 0; k0 < x_.k; k0 += s_.base_k) step(object, a, b, k0);
  }

  void step(MatmulObject& object, Operand& a, Operand& b, uint32_t k0) {
    const uint32_t k = std::min(s_.base_k, x_.k - k0);
    CubeBuffer& a1 = in_l1(a, k0);
    CubeBuffer& b1 = in_l1(b, k0);
    CubeBuffer& a0 = live_.l0a[live_.next_a++ % s_.db_l0a];
    CubeBuffer& b0 = live_.l0b[live_.next_b++ % s_.db_l0b];
    wait(kMte1, kCube, a0.freed);
    if (b0.freed != a0.freed) wait(kMte1, kCube, b0.freed);
    load_l0(k);
    const uint32_t loaded = set(kMte1);
    if (last_of(a, k0)) a1.freed = loaded;
    if (last_of(b, k0)) b1.freed = loaded;
    wait(kCube, kMte1, loaded);
    CubeBuffer& c = live_.l0c[static_cast<size_t>(object.c)];
    wait(kCube, kFix, c.freed);
    c.freed = 0;
    multiply(k);
    a0.freed = b0.freed = object.computed = set(kCube);
  }
  // Tells whether the next base block of K lies in another buffer.
  bool last_of(const Operand& o, uint32_t k0) const {
    return k0 + s_.base_k >= x_.k || (k0 + s_.base_k) % o.depth == 0;
  }

  void store() {
    MatmulObject& object = live_.of(x_.owner);
    const uint64_t element = dtype_bytes(x_.c.dtype), elements = uint64_t{x_.m} * x_.n;
    bring_quantisation();
    wait(kFix, kCube, object.computed);
    const uint64_t cycles = fixpipe_cycles(r_.rates_, elements, elements * element);
    if (x_.c.memory == OPK_MEM_GM) {
      traffic_.l0c_to_gm += elements * element;
      r_.transfer(events_, kFix, site_, rows_of_c(element), r_.rates_.fixpipe_bytes, cycles);
    } else {
      (x_.c.memory == OPK_MEM_L1 ? traffic_.l0c_to_l1 : traffic_.l0c_to_gm) += elements * element;
      run(kFix, cycles);
    }
    const uint32_t stored = set(kFix);
    if (object.c >= 0) live_.l0c[static_cast<size_t>(object.c)].freed = stored;
  }

  void bring_quantisation() {
    if (!x_.quant_vector.address) return;
    const uint64_t bytes = uint64_t{x_.n} * 8;
    bring_for(kFix, row_of(x_.quant_vector, bytes), bytes, false);
    traffic_.l1_to_other += bytes;
    run(kFix, at_rate(bytes, r_.rates_.l1_to_fb));
  }

  Access rows_of_c(uint64_t element) const {
    const uint32_t width = element == 1 ? 32 : 16;
    Access a = row_of(x_.c, (x_.to_nd ? x_.n : uint64_t{x_.m} * width) * element);
    a.blocks = x_.to_nd ? x_.m : (x_.n + width - 1) / width;
    a.block_pitch = static_cast<int64_t>(x_.c_pitch * (x_.to_nd ? 1 : width) * element);
    a.write = true;
    return a;
  }

  void hand_over() {
    if (record_.served.size() == live_.posted) return;
    live_.posted = record_.served.size();
    r_.push(core_, EventType::kPost, kScalar, r_.rates_.issue_flag, site_,
            static_cast<uint32_t>(record_.served.size()));
    ++record_.posts;
  }

  void wait_for_all() {
    if (!live_.last) return;
    if (served_) {
      r_.recording_.gates.push_back({live_.last - 1});
      r_.push(core_, EventType::kGateWait, kScalar, r_.rates_.issue_flag, site_,
              static_cast<uint32_t>(r_.recording_.gates.size() - 1), r_.rates_.cross_flag);
    } else {
      r_.push(core_, EventType::kWait, kScalar, r_.rates_.issue_flag, site_, live_.last - 1, 0,
              x_.store ? kFix : kCube);
    }
  }

  // On to UB: the vector core takes it out of GM.
  void fetch_c() {
    const uint64_t bytes = uint64_t{x_.m} * x_.n * dtype_bytes(x_.c.dtype);
    record_.times.traffic.gm_to_ub += bytes;
    const auto push = [&](EventType type, uint8_t pipe, uint32_t value, uint8_t from = 0) {
      r_.push(core_, type, pipe, r_.rates_.issue, site_, value, 0, from);
    };
    push(EventType::kRun, kMte2, narrow(r_.rates_.hit_latency + at_rate(bytes, r_.rates_.l2_read)));
    const uint32_t signal = r_.recording_.signals++;
    push(EventType::kSet, kMte2, signal);
    push(EventType::kWait, kScalar, signal, kMte2);
  }

  Recorder& r_;
  Core& core_;
  CoreRecord& record_;
  CubeState& live_;
  const MatmulCall& x_;
  const opk_matmul_steps s_;
  const bool served_;
  const uint32_t thinned_ = is_sparse(x_) ? 2 : 1;  // values of K for one of B
  std::vector<RecordedEvent>& events_;
  Traffic& traffic_;
  const uint32_t site_;
};

void Recorder::matmul(Core& core, const Footprint& f) {
  const auto& x = *static_cast<const MatmulCall*>(f.instruction);
  // What functions of the author's do is part of the block that was told before.
  if (x.compute || x.store || x.steps.wait) CubeWork(*this, core, f).write_down();
}

}  // namespace opkit::core::timed
