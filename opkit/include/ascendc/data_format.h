// The layouts of data, for kernels and for the host. (Pages "ShapeInfo", "TransData".)
#ifndef OPKIT_INCLUDE_ASCENDC_DATA_FORMAT_H_
#define OPKIT_INCLUDE_ASCENDC_DATA_FORMAT_H_

#include <cstdint>

namespace AscendC {

enum class DataFormat : uint8_t {
  ND = 0,
  NZ,
  NCHW,
  NC1HWC0,
  NHWC,
  NCDHW,
  NDC1HWC0,
  FRACTAL_Z_3D,
};

}  // namespace AscendC

#endif  // OPKIT_INCLUDE_ASCENDC_DATA_FORMAT_H_
