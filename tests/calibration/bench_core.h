// Benchmark kernels run dry: instructions are told to Timed and not executed, so that the
// published sizes cost no arithmetic and no memory.
#ifndef OPKIT_TESTS_CALIBRATION_BENCH_CORE_H_
#define OPKIT_TESTS_CALIBRATION_BENCH_CORE_H_

#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "kernel_operator.h"
#include "opkit/core/modes/timed.h"

namespace calibration {

struct BenchRun {
  std::function<void(const std::vector<uint8_t*>& gm)> kernel;  // the body of every block
  int task_type = OPK_TASK_AIV_ONLY;
  uint32_t blocks = 1;
  std::vector<uint64_t> tensors;        // bytes; named t0, t1, ...; the last one is the output
  std::set<std::string> uncached = {};  // names
  uint32_t warm_runs = 1;
};

opkit::core::TimedResult time_of(const BenchRun& run);

// One instruction of a pipe, told to the observer with the operands that the cost depends on.
struct UbOperand {
  uint32_t address;
  uint8_t dtype;
};
void tell_vector(uint16_t op, uint32_t elements, std::initializer_list<UbOperand> operands,
                 uint8_t form = OPK_LANES_COUNT);
void tell_scalar(uint32_t ub_address, bool write);
// A vector core of the running block (its number in the block), or -1 on the cube core.
int vector_lane();
void tell_load(opk_memory dst, uint32_t bytes);
void tell_mmad(uint32_t m, uint32_t n, uint32_t k, uint8_t dtype);
// L0C -> GM: `rows` rows of `row_bytes`.
void tell_fixpipe(uint8_t* gm, uint32_t rows, uint32_t row_bytes, uint64_t pitch, uint32_t columns);

// Rows of a strided matrix, GM -> UB (vector core) or GM -> L1 with the fractal change (cube core).
void copy_rows_to_ub(uint8_t* gm, uint32_t rows, uint32_t row_bytes, uint64_t pitch);
void copy_to_l1(uint8_t* gm, uint32_t bytes);  // copies what lies side by side
void copy_rows_from_ub(uint8_t* gm, uint32_t rows, uint32_t row_bytes, uint64_t pitch);
void copy_rows_to_l1(uint8_t* gm, uint32_t rows, uint32_t row_bytes, uint64_t pitch);

}  // namespace calibration

#endif  // OPKIT_TESTS_CALIBRATION_BENCH_CORE_H_
