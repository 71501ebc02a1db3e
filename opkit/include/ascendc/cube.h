// The cube unit: loads into L0A and L0B, Mmad, Fixpipe.
#ifndef OPKIT_INCLUDE_ASCENDC_CUBE_H_
#define OPKIT_INCLUDE_ASCENDC_CUBE_H_

#include "opkit/include/ascendc/cube_fixpipe.h"
#include "opkit/include/ascendc/cube_load.h"
#include "opkit/include/ascendc/cube_load3d.h"
#include "opkit/include/ascendc/cube_mmad.h"
#include "opkit/include/ascendc/cube_sparse.h"

#endif  // OPKIT_INCLUDE_ASCENDC_CUBE_H_
