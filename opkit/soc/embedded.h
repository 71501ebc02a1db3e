// The YAML texts of opkit/soc (specs, archs, other_chips.yaml), written into the library by CMake
// (see specs.cmake).
#ifndef OPKIT_SOC_EMBEDDED_H_
#define OPKIT_SOC_EMBEDDED_H_

#include <string_view>
#include <vector>

namespace opkit {

struct EmbeddedSpec {
  std::string_view file;  // "opkit/soc/specs/ascend910b1.yaml"
  std::string_view text;
};

const std::vector<EmbeddedSpec>& embedded_specs();
const std::vector<EmbeddedSpec>& embedded_archs();
const EmbeddedSpec& embedded_other_chips();

}  // namespace opkit

#endif  // OPKIT_SOC_EMBEDDED_H_
