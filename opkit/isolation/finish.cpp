#include "opkit/isolation/finish.h"

#include <fmt/format.h>

namespace opkit::isolation {

Status finish(const wire::Reader& reader, const std::string& what) {
  if (reader.done()) return {};
  return Error("OPK-WORKER-006", fmt::format("{} makes no sense: {}", what, reader.why()),
               "the plugin damaged its worker; look for writes outside its own memory");
}

}  // namespace opkit::isolation
