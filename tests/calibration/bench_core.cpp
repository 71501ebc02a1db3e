#include "bench_core.h"

#include <sys/mman.h>

#include <algorithm>
#include <new>

#include "opkit/core/machine.h"
#include "opkit/core/modes/dry.h"
#include "opkit/core/state/core.h"
#include "opkit/core/state/footprint.h"
#include "opkit/soc/arch.h"
#include "tests/rates_910b1.h"

namespace calibration {
namespace {

using namespace opkit::core;

// Ascend910B1, on which the published series was measured.
opk_soc_v1 chip() {
  opk_soc_v1 soc = {};
  soc.struct_size = sizeof soc;
  soc.npu_arch = 2201;
  soc.arch = &opkit::find_arch(2201).value()->table();
  soc.name = "Ascend910B1";
  soc.short_name = "Ascend910B";
  soc.cube_core_num = 24;
  soc.vector_core_num = 48;
  soc.split = 1;
  const uint64_t sizes[] = {1ull << 36, 196608, 524288, 65536, 65536, 131072, 1024, 2048};
  std::copy(std::begin(sizes), std::end(sizes), soc.memory_size);
  return soc;
}

// Address space without memory behind it.
class Reserved {
 public:
  explicit Reserved(uint64_t bytes) : bytes_(bytes) {
    void* p = ::mmap(nullptr, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (p == MAP_FAILED) throw std::bad_alloc();
    base = static_cast<uint8_t*>(p);
  }
  ~Reserved() { ::munmap(base, bytes_); }
  Reserved(const Reserved&) = delete;
  Reserved& operator=(const Reserved&) = delete;
  uint8_t* base;

 private:
  uint64_t bytes_;
};

const BenchRun* running = nullptr;
std::vector<uint8_t*> tensors;

void enter(opk_core* core, void* const*) {
  AscendC::detail::current = core;
  running->kernel(tensors);
}

Core& self() { return Core::of(AscendC::detail::core()); }

Access local(opk_memory memory, uint32_t address, uint64_t bytes, bool write, uint8_t dtype) {
  Access a;
  a.memory = memory;
  a.address = self().memory[memory] + address;
  a.block_bytes = static_cast<uint32_t>(bytes);
  a.write = write;
  a.dtype = dtype;
  return a;
}

Access rows_of(uint8_t* gm, uint32_t rows, uint32_t row_bytes, uint64_t pitch, bool write) {
  Access a;
  a.memory = OPK_MEM_GM;
  a.address = gm;
  a.block_bytes = row_bytes;
  a.blocks = rows;
  a.block_pitch = static_cast<int64_t>(pitch);
  a.write = write;
  a.dtype = OPK_FLOAT16;
  return a;
}

Footprint footprint(const char* name, InstructionKind kind, opk_pipe pipe, const void* instruction,
                    const void* pc) {
  Footprint f;
  f.name = name;
  f.kind = kind;
  f.pipe = pipe;
  f.instruction = instruction;
  f.pc = pc;
  return f;
}

uint32_t size_of(uint8_t dtype) { return dtype == OPK_FLOAT32 ? 4 : 2; }

}  // namespace

TimedResult time_of(const BenchRun& run) {
  static const opk_soc_v1 soc = chip();
  static Machine machine(soc, 1);
  std::vector<std::unique_ptr<Reserved>> memory;
  std::vector<std::string> names;
  std::vector<GmRange> ranges;
  for (size_t i = 0; i < run.tensors.size(); ++i) names.push_back("t" + std::to_string(i));
  tensors.clear();
  for (size_t i = 0; i < run.tensors.size(); ++i) {
    memory.push_back(std::make_unique<Reserved>(run.tensors[i] + 4096));
    tensors.push_back(memory.back()->base);
    ranges.push_back({tensors.back(), run.tensors[i], names[i].c_str(), true, true});
  }
  opk_kernel_v1 kernel = {};
  kernel.struct_size = sizeof kernel;
  kernel.name = "benchmark";
  kernel.task_type = run.task_type;
  kernel.aiv = kernel.aic = enter;
  TimedOptions options;
  options.warm_runs = run.warm_runs;
  options.uncached = run.uncached;
  Timed timed(rates_910b1(), options);
  Dry dry(timed);
  LaunchRequest request;
  request.kernel = &kernel;
  request.block_dim = run.blocks;
  request.gm = ranges.data();
  request.gm_count = static_cast<uint32_t>(ranges.size());
  request.observer = &dry;
  running = &run;
  const LaunchReport report = machine.launch(request);
  if (!report.ok()) throw std::runtime_error(report.faults[0].message);
  return timed.result();
}

void tell_vector(uint16_t op, uint32_t elements, std::initializer_list<UbOperand> operands,
                 uint8_t form) {
  opk_vector_v1 v{};
  v.op = op;
  v.form = form;
  v.count = elements;
  Footprint f =
      footprint("vector", InstructionKind::kVector, OPK_PIPE_V, &v, __builtin_return_address(0));
  for (const UbOperand& o : operands) {
    v.operand[v.operand_count].dtype = o.dtype;
    f.add(local(OPK_MEM_UB, o.address, uint64_t{elements} * size_of(o.dtype), v.operand_count == 0,
                o.dtype));
    ++v.operand_count;
  }
  if (form == OPK_LANES_REGISTER) {
    self().mask_mode = 1;
    self().mask[0] = elements;
  }
  self().observer->admit(self(), f);
}

void tell_load(opk_memory dst, uint32_t bytes) {
  Footprint f = footprint("LoadData", InstructionKind::kLoad, OPK_PIPE_MTE1, nullptr,
                          __builtin_return_address(0));
  f.add(local(OPK_MEM_L1, 0, bytes, false, OPK_FLOAT16));
  f.add(local(dst, 0, bytes, true, OPK_FLOAT16));
  self().observer->admit(self(), f);
}

void tell_mmad(uint32_t m, uint32_t n, uint32_t k, uint8_t dtype) {
  opk_mmad_v1 mmad{};
  mmad.m = static_cast<uint16_t>(m);
  mmad.n = static_cast<uint16_t>(n);
  mmad.k = static_cast<uint16_t>(k);
  mmad.a.dtype = mmad.b.dtype = dtype;
  Footprint f =
      footprint("Mmad", InstructionKind::kMmad, OPK_PIPE_M, &mmad, __builtin_return_address(0));
  self().observer->admit(self(), f);
}

void tell_fixpipe(uint8_t* gm, uint32_t rows, uint32_t row_bytes, uint64_t pitch,
                  uint32_t columns) {
  opk_fixpipe_v1 fix{};
  fix.m = rows;
  fix.n = columns;
  fix.nd_count = 1;
  Footprint f = footprint("Fixpipe", InstructionKind::kFixpipe, OPK_PIPE_FIX, &fix,
                          __builtin_return_address(0));
  f.add(local(OPK_MEM_L0C, 0, uint64_t{rows} * columns * 4, false, OPK_FLOAT32));
  f.add(rows_of(gm, rows, row_bytes, pitch, true));
  self().observer->admit(self(), f);
}

void copy_rows_to_ub(uint8_t* gm, uint32_t rows, uint32_t row_bytes, uint64_t pitch) {
  opk_copy_v1 copy{};
  copy.op = OPK_C_PAD_IN;
  Footprint f = footprint("DataCopyPad", InstructionKind::kCopy, OPK_PIPE_MTE2, &copy,
                          __builtin_return_address(0));
  f.add(rows_of(gm, rows, row_bytes, pitch, false));
  f.add(local(OPK_MEM_UB, 0, uint64_t{rows} * row_bytes, true, OPK_FLOAT16));
  self().observer->admit(self(), f);
}

void copy_rows_from_ub(uint8_t* gm, uint32_t rows, uint32_t row_bytes, uint64_t pitch) {
  opk_copy_v1 copy{};
  copy.op = OPK_C_PAD_OUT;
  Footprint f = footprint("DataCopyPad", InstructionKind::kCopy, OPK_PIPE_MTE3, &copy,
                          __builtin_return_address(0));
  f.add(local(OPK_MEM_UB, 0, uint64_t{rows} * row_bytes, false, OPK_FLOAT16));
  f.add(rows_of(gm, rows, row_bytes, pitch, true));
  self().observer->admit(self(), f);
}

void copy_to_l1(uint8_t* gm, uint32_t bytes) {
  opk_copy_v1 copy{};
  copy.op = OPK_C_LINEAR;
  Footprint f = footprint("DataCopy", InstructionKind::kCopy, OPK_PIPE_MTE2, &copy,
                          __builtin_return_address(0));
  f.add(rows_of(gm, 1, bytes, bytes, false));
  f.add(local(OPK_MEM_L1, 0, bytes, true, OPK_FLOAT16));
  self().observer->admit(self(), f);
}

int vector_lane() { return self().kind == OPK_CORE_AIV ? std::max(self().lane, 0) : -1; }

void tell_scalar(uint32_t ub_address, bool write) {
  Footprint f = footprint(write ? "SetValue" : "GetValue", InstructionKind::kScalar, OPK_PIPE_S,
                          nullptr, __builtin_return_address(0));
  f.add(local(OPK_MEM_UB, ub_address, 2, write, OPK_FLOAT16));
  self().observer->admit(self(), f);
}

void copy_rows_to_l1(uint8_t* gm, uint32_t rows, uint32_t row_bytes, uint64_t pitch) {
  opk_copy_v1 copy{};
  copy.op = OPK_C_ND2NZ;
  Footprint f = footprint("DataCopy(Nd2Nz)", InstructionKind::kCopy, OPK_PIPE_MTE2, &copy,
                          __builtin_return_address(0));
  f.add(rows_of(gm, rows, row_bytes, pitch, false));
  f.add(local(OPK_MEM_L1, 0, uint64_t{rows} * row_bytes, true, OPK_FLOAT16));
  self().observer->admit(self(), f);
}

}  // namespace calibration
