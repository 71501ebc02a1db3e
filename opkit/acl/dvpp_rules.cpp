#include "opkit/acl/dvpp_rules.h"

namespace opkit::acl {

const DvppRules& dvpp_rules(uint32_t npu_arch) {
  static constexpr DvppRules k910{16, 2, 32, 4096, 128, 8192, true, 16, 16, true, true, false};
  static constexpr DvppRules k310p{16, 1, 32, 4096, 64, 8192, false, 16, 512, false, false, true};
  static constexpr DvppRules kA2{1, 1, 10, 8192, 64, 16384, false, 1, 0, false, true, true};
  return npu_arch == 1001 ? k910 : npu_arch == 2002 ? k310p : kA2;
}

}  // namespace opkit::acl
