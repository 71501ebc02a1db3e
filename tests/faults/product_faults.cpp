// Order among products, and between them and Fixpipe: PIPE_M, UnitFlag.
#include "corpus.h"
#include "product.h"

using namespace AscendC;

namespace faults {
namespace {

// --- EK1304: a product that is added to a small one (page "Mmad") --------------------------------

template <bool kFault>
void adds_to_a_small_product(GM_ADDR x, GM_ADDR, GM_ADDR z, GM_ADDR) {
  Product p(x, z);
  p.load_both();
  Mmad(p.c, p.a, p.b, MmadParams(48, 16, 16, 0, false, true));
  if constexpr (!kFault) PipeBarrier<PIPE_M>();
  const MmadParams more(48, 16, 16, 0, false, false);
  Mmad(p.c, p.a, p.b, more);  // FAULT: adds_to_a_small_product
  p.store(48, 48);
}

template <bool kFault>
void adds_small_products_in_a_loop(GM_ADDR x, GM_ADDR, GM_ADDR z, GM_ADDR) {
  Product p(x, z);
  p.load_both();
  for (uint32_t step = 0; step < 4; ++step) {
    const MmadParams params(16, 16, 16, 0, false, step == 0);
    Mmad(p.c, p.a, p.b, params);  // FAULT: adds_small_products_in_a_loop
    if constexpr (!kFault) PipeBarrier<PIPE_M>();
  }
  p.store(16, 16);
}

template <bool kFault>
void waits_for_the_wrong_pipe_between_products(GM_ADDR x, GM_ADDR, GM_ADDR z, GM_ADDR) {
  Product p(x, z);
  p.load_both();
  Mmad(p.c, p.a, p.b, MmadParams(16, 16, 16, 0, false, true));
  PipeBarrier<kFault ? PIPE_MTE1 : PIPE_M>();
  const MmadParams more(16, 16, 16, 0, false, false);
  Mmad(p.c, p.a, p.b, more);  // FAULT: waits_for_the_wrong_pipe_between_products
  p.store(16, 16);
}

// --- EK1303: UnitFlag orders Mmad and Fixpipe when both have it ----------------------------------

template <bool kFault>
void stores_without_the_unit_flag(GM_ADDR x, GM_ADDR, GM_ADDR z, GM_ADDR) {
  Product p(x, z);
  p.load_both();
  Mmad(p.c, p.a, p.b, MmadParams(48, 16, 16, 3, false, true));
  FixpipeParamsV220 params(16, 48, 48, 16, false);
  params.unitFlag = kFault ? 0 : 3;
  Fixpipe(p.gz, p.c, params);  // FAULT: stores_without_the_unit_flag
}

}  // namespace

Family product_faults() {
  return {
      CUBE_FAULT("EK1304", adds_to_a_small_product, "read after write on bytes 0 to 3072 of L0C")
          .between_two(),
      CUBE_FAULT("EK1304", adds_small_products_in_a_loop, "of L0C").between_two(),
      CUBE_FAULT("EK1304", waits_for_the_wrong_pipe_between_products, "of L0C").between_two(),
      CUBE_FAULT("EK1303", stores_without_the_unit_flag, "of L0C").between_two(),
  };
}

}  // namespace faults
