#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

#include "registry/package.h"

namespace opkit::registry {
namespace {

std::string lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

bool starts(const std::string& text, const std::string& prefix) {
  return text.rfind(prefix, 0) == 0;
}

// The families with a name of their own, longest first: "Ascend910B1" is an Ascend910B, not an
// Ascend910. What is left of 910 (A, B, ProA, ProB, PremiumA) is the family Ascend910; the bare
// Ascend910B is read as the family, which is how contracts use it.
constexpr std::array<std::pair<const char*, const char*>, 5> kFamilies = {{
    {"ascend910_93", "Ascend910_93"},
    {"ascend910b", "Ascend910B"},
    {"ascend310b", "Ascend310B"},
    {"ascend310p", "Ascend310P"},
    {"ascend910", "Ascend910"},
}};

}  // namespace

std::string soc_family(const std::string& name) {
  const std::string word = lower(name);
  for (const auto& [prefix, family] : kFamilies) {
    if (starts(word, prefix)) return family;
  }
  return name;
}

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
