// A small product by the basic API, cut into its steps.
#ifndef OPKIT_TESTS_FAULTS_PRODUCT_H_
#define OPKIT_TESTS_FAULTS_PRODUCT_H_

#include "static_tensors.h"

namespace faults {

// Static tensors of a product of 48 x 16 and 16 x 16 halves.
struct Product {
  AscendC::LocalTensor<half> l1a{AscendC::TPosition::A1, 0, 768},
      l1b{AscendC::TPosition::B1, 4096, 256};
  AscendC::LocalTensor<half> a{AscendC::TPosition::A2, 0, 768}, b{AscendC::TPosition::B2, 0, 256};
  AscendC::LocalTensor<float> c{AscendC::TPosition::CO1, 0, 768};
  AscendC::GlobalTensor<half> gx;
  AscendC::GlobalTensor<float> gz;

  __aicore__ inline Product(GM_ADDR x, GM_ADDR z) {
    gx.SetGlobalBuffer((__gm__ half*)x, 2 * kElements);
    gz.SetGlobalBuffer((__gm__ float*)z, kElements);
    DataCopy(l1b, gx, 256);
  }
  __aicore__ inline void load_right() {
    LoadData(b, l1b, AscendC::LoadData2DParams(0, 1, 1, 0, 0, false, 0));
  }
  // `rows` of C reach the output.
  __aicore__ inline void store(uint16_t rows, uint16_t all_rows) {
    order<AscendC::HardEvent::M_FIX>();
    Fixpipe(gz, c, AscendC::FixpipeParamsV220(16, rows, all_rows, 16, false));
  }
  // Everything up to the products: A of 48 rows and B in L0.
  __aicore__ inline void load_both() {
    DataCopy(l1a, gx, 768);
    order<AscendC::HardEvent::MTE2_MTE1>();
    LoadData(a, l1a, AscendC::LoadData2DParams(0, 3, 1, 0, 0, false, 0));
    load_right();
    order<AscendC::HardEvent::MTE1_M>();
  }
};

}  // namespace faults

#endif  // OPKIT_TESTS_FAULTS_PRODUCT_H_
