#include "opkit/isolation/wire.h"

#include <fmt/format.h>

namespace opkit::wire {

Status Reader::finish(const std::string& what) const {
  if (!failed() && left_.empty()) return {};
  return Error("OPK-WORKER-006",
               fmt::format("{} makes no sense: {}", what,
                           failed() ? why_ : fmt::format("{} bytes are left over", left_.size())),
               "the plugin damaged its worker; look for writes outside its own memory");
}

}  // namespace opkit::wire
