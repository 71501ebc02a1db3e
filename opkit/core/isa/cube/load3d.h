// LoadData in its three-dimensional form: windows of the matrix that a convolution multiplies with.
#ifndef OPKIT_CORE_ISA_CUBE_LOAD3D_H_
#define OPKIT_CORE_ISA_CUBE_LOAD3D_H_

#include "opkit/core/state/core.h"

namespace opkit::core {

void load_image(Core& core, const opk_load_v1& l, const void* pc);
// Does what load_image() does behind its checks. REQUIRES: they have passed.
void run_image_load(Core& core, const opk_load_v1& l);

}  // namespace opkit::core

#endif  // OPKIT_CORE_ISA_CUBE_LOAD3D_H_
