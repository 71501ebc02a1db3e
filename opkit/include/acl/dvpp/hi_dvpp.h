// The second interface of image pre-processing: hi_mpi_*. Video (H.264, H.265) is declared, so that
// programs compile, and refused by name where its channel is created. (Vendor's part "Media Data
// Processing V2"; the pages that rules come from are named beside them.)
#ifndef OPKIT_INCLUDE_ACL_DVPP_HI_DVPP_H_
#define OPKIT_INCLUDE_ACL_DVPP_HI_DVPP_H_

#include "hi_dvpp_common.h"
#include "hi_dvpp_pngd.h"
#include "hi_dvpp_vdec.h"
#include "hi_dvpp_venc.h"
#include "hi_dvpp_vpc.h"

#endif  // OPKIT_INCLUDE_ACL_DVPP_HI_DVPP_H_
