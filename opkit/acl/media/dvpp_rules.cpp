#include "opkit/acl/media/dvpp_rules.h"

namespace opkit::acl {

const DvppRules& dvpp_rules(uint32_t npu_arch) {
  static constexpr DvppRules k910{16, 2, 32, 4096, 128, 8192, true, 16, 16, true, true, false, 0};
  static constexpr DvppRules k310p{16, 1,   32,    4096,  64,   8192, false,
                                   16, 512, false, false, true, 2};
  static constexpr DvppRules kA2{1, 1, 10,    8192, 64,   16384,  false,
                                 1, 0, false, true, true, kMostIn};
  static constexpr DvppRules k310b = [] {
    DvppRules rules = kA2;
    rules.most_reflected = 0;
    return rules;
  }();
  switch (npu_arch) {
    case 1001: return k910;
    case 2002: return k310p;
    case 3002: return k310b;
    default: return kA2;
  }
}

}  // namespace opkit::acl
