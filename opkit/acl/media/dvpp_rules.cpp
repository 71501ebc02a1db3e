#include "opkit/acl/media/dvpp_rules.h"

#include <fmt/format.h>

#include "opkit/acl/base/lock.h"
#include "opkit/acl/device/device.h"
#include "opkit/soc/soc_spec.h"

namespace opkit::acl {
namespace {

const Result<const PictureRules*>& rules_of_chip() {
  const Lock lock;
  static const Result<const PictureRules*> found = find_picture_rules(the_device().soc().name);
  return found;
}

}  // namespace

aclError check_pictures() {
  const Result<const PictureRules*>& found = rules_of_chip();
  return found.ok() ? aclError{ACL_SUCCESS} : fail(ACL_ERROR_API_NOT_SUPPORT, found.error());
}

const PictureRules& rules_of() { return **rules_of_chip(); }

std::string chip_that_has(bool PictureRules::*ability) {
  for (const std::string& name : soc_names()) {
    const auto rules = find_picture_rules(name);
    if (rules.ok() && (*rules)->*ability)
      return fmt::format("{} has (OPKIT_SOC={})", find_soc(name)->spec->short_name, name);
  }
  return "no chip has";
}

}  // namespace opkit::acl
