// Semantics: the vendor's pages "LoadDataWithSparse", "MmadWithSparse", "4选2稀疏索引矩阵". The
// index of fractal f of L0B is 128 bytes: 16 columns of 32 values of two bits, the first in the low
// bits.
#include "opkit/core/isa/cube/sparse.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <string>
#include <vector>

#include "opkit/core/fractals/fractal.h"
#include "opkit/core/isa/cube/refusals.h"
#include "opkit/core/isa/operand.h"

namespace opkit::core {
namespace {

constexpr uint32_t kC0 = 32;
constexpr uint32_t kIndexFractal = 128;  // bytes
constexpr const char* kLoad = "LoadDataWithSparse";

uint32_t first_fractal(const Core& core, const opk_operand& b) {
  return static_cast<uint32_t>(static_cast<const uint8_t*>(b.address) - core.memory[OPK_MEM_L0B]) /
         kFractal;
}

// The buffer is a quarter as large as L0B.
uint8_t* index_of(Core& core, uint32_t fractal) {
  std::vector<uint8_t>& buffer = core.cube.sparse_index;
  if (buffer.empty()) buffer.resize(core.memory_size[OPK_MEM_L0B] / 4);
  return buffer.data() + size_t{fractal} * kIndexFractal;
}

bool check(Core& core, const opk_load_v1& l, const void* pc) {
  if (l.src.memory != OPK_MEM_L1 || l.dst.memory != OPK_MEM_L0B) {
    return refuse_cube(core, "EK1703",
                       std::string(kLoad) + ": there is no way from " + memory_name(l.src.memory) +
                           " to " + memory_name(l.dst.memory),
                       "load from L1 into L0B", pc);
  }
  return check_operand(core, l.src, uint64_t{l.start_index + l.repeat} * kIndexFractal, 32, false,
                       {kLoad, "index", pc}) &&
         check_operand(core, l.dst, uint64_t{l.repeat} * kFractal, kFractal, true,
                       {kLoad, "destination", pc});
}

// The fractals of B are the affair of the LoadData that LoadDataWithSparse issues beside this.
bool admit(Core& core, const opk_load_v1& l, const void* pc) {
  Footprint f;
  f.name = kLoad;
  f.kind = InstructionKind::kLoad;
  f.pipe = OPK_PIPE_MTE1;
  f.instruction = &l;
  f.pc = pc;
  Access access;
  access.memory = OPK_MEM_L1;
  access.address =
      static_cast<const uint8_t*>(l.src.address) + uint64_t{l.start_index} * kIndexFractal;
  access.block_bytes = l.repeat * kIndexFractal;
  access.dtype = l.src.dtype;
  access.buffer = l.src.buffer;
  f.add(access);
  return core.observer->admit(core, f);
}

// B keeps two of every four values along K, also of an incomplete four.
uint32_t values_of(const opk_mmad_v1& x) { return (x.k + 3u) / 4 * 2; }

// Where the two values of B at k and k + 1 of a column take their values of A from, of four.
struct KeptPair {
  uint32_t first, second;
};
KeptPair pair_of(uint8_t indices, uint32_t k) {
  const uint32_t one = indices >> (k % 4 * 2) & 3, two = indices >> (k % 4 * 2 + 2) & 3;
  return {one, std::max(one, two + 1)};
}

// Where the values of B of one column take their values of A from; k is at most 4095.
using Sources = std::array<uint32_t, 2048>;

class Product {
 public:
  Product(Core& core, const opk_mmad_v1& x)
      : core_(core), x_(x), e_(extent_of(x)), base_(first_fractal(core, x.b)) {}

  // The values of A that column n wants for every value of B; false: an index is 3.
  bool choose(uint32_t n, Sources& from) const {
    const uint32_t values = values_of(x_);
    for (uint32_t k = 0; k < values; k += 2) {
      const uint32_t fractal = base_ + k / kC0 * e_.n16 + n / kSide;
      const uint8_t byte = index_of(core_, fractal)[n % kSide * (kC0 / 4) + k % kC0 / 4];
      const KeptPair pair = pair_of(byte, k);
      if (pair.first > 2 || pair.second > 3) return false;
      from[k] = 2 * k + pair.first;
      from[k + 1] = 2 * k + pair.second;
    }
    return true;
  }

  int8_t a(uint32_t m, uint32_t k) const {
    if (k >= x_.k) return 0;
    const size_t fractal = size_t{m / kSide} * e_.k_fractals + k / kC0;
    return static_cast<const int8_t*>(x_.a.address)[fractal * kFractal + m % kSide * kC0 + k % kC0];
  }
  int8_t b(uint32_t k, uint32_t n) const {
    const size_t fractal = size_t{k / kC0} * e_.n16 + n / kSide;
    return static_cast<const int8_t*>(x_.b.address)[fractal * kFractal + n % kSide * kC0 + k % kC0];
  }
  int32_t& c(uint32_t m, uint32_t n) const {
    const size_t panel = size_t{n / kSide} * e_.m16 * kSide;
    return static_cast<int32_t*>(x_.c.address)[(panel + m) * kSide + n % kSide];
  }

  void column(uint32_t n, const Sources& from) const {
    const uint32_t values = values_of(x_);
    for (uint32_t m = 0; m < x_.m; ++m) {
      uint32_t sum = static_cast<uint32_t>(c(m, n));
      for (uint32_t k = 0; k < values; ++k)
        sum += static_cast<uint32_t>(int32_t{a(m, from[k])} * int32_t{b(k, n)});
      c(m, n) = static_cast<int32_t>(sum);
    }
  }

 private:
  Core& core_;
  const opk_mmad_v1& x_;
  MmadExtent e_;
  uint32_t base_;
};

}  // namespace

void load_sparse_index(Core& core, const opk_load_v1& l, const void* pc) {
  if (l.repeat == 0 || !check(core, l, pc)) return;
  if (core.observer && !admit(core, l, pc)) return;
  const auto* from =
      static_cast<const uint8_t*>(l.src.address) + uint64_t{l.start_index} * kIndexFractal;
  core.put_off.about_to_read(OPK_MEM_L1, from, uint64_t{l.repeat} * kIndexFractal);
  std::memcpy(index_of(core, first_fractal(core, l.dst)), from, size_t{l.repeat} * kIndexFractal);
}

bool compute_sparse(Core& core, const opk_mmad_v1& x, const void* pc) {
  const MmadExtent e = extent_of(x);
  core.put_off.about_to_read(OPK_MEM_L0A, x.a.address, e.a);
  core.put_off.about_to_read(OPK_MEM_L0B, x.b.address, e.b);
  if (x.init == 0) std::memset(x.c.address, 0, e.c);
  const Product product(core, x);
  Sources from;
  for (uint32_t n = 0; n < x.n; ++n) {
    if (!product.choose(n, from)) {
      return refuse_cube(core, "EK1720",
                         "MmadWithSparse: an index of column " + std::to_string(n) +
                             " is 3; indices are 0, 1 and 2",
                         "make the index as the page of the sparse index matrix says, and load it "
                         "with LoadDataWithSparse",
                         pc);
    }
    product.column(n, from);
  }
  return true;
}

}  // namespace opkit::core
