#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "opkit/soc/soc_names.h"
#include "registry/package.h"

namespace opkit::registry {
namespace {

std::string lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

}  // namespace

std::string soc_family(const std::string& name) { return family_of_soc(name); }

Status check_soc(const Manifest& manifest, const std::string& soc) {
  if (manifest.socs.empty()) return {};
  const std::string asked = lower(soc), family = lower(soc_family(soc));
  for (const std::string& listed : manifest.socs) {
    const std::string word = lower(listed);
    const bool whole_family = asked == family && lower(soc_family(listed)) == family;
    if (word == asked || word == family || whole_family) return {};
  }
  return Error("OPK-FIT-008",
               fmt::format("{} {} supports {}, not {}", manifest.op, manifest.version,
                           fmt::join(manifest.socs, ", "), soc),
               "use a SoC of the list, or add this one to the contract's soc list and rebuild")
      .at(manifest.place("soc"))
      .of(manifest.op);
}

}  // namespace opkit::registry
