// What the image units of the program's chip ask of pictures, and the refusal of chips of which no
// file says it.
#ifndef OPKIT_ACL_MEDIA_DVPP_RULES_H_
#define OPKIT_ACL_MEDIA_DVPP_RULES_H_

#include <cstdint>
#include <string>

#include "acl/acl_base.h"
#include "opkit/soc/picture_rules.h"

namespace opkit::acl {

// Judges the chip: a call that needs its rules asks this first, or a channel, which is not created
// without. ACL_ERROR_API_NOT_SUPPORT with OPK-SOC-004.
aclError check_pictures();

// Returns the rules of the chip. REQUIRES: check_pictures() succeeded.
const PictureRules& rules_of();

// Returns the family of the first chip that has it, and how to choose that chip: "Ascend310P has
// (OPKIT_SOC=Ascend310P3)".
std::string chip_that_has(bool PictureRules::*ability);

inline uint32_t round_up(uint32_t value, uint32_t unit) { return (value + unit - 1) / unit * unit; }

}  // namespace opkit::acl

#endif  // OPKIT_ACL_MEDIA_DVPP_RULES_H_
