// A chip for people and for scripts.
#ifndef OPKIT_CLI_TEXT_SOC_TEXT_H_
#define OPKIT_CLI_TEXT_SOC_TEXT_H_

#include <string>

#include "opkit/cli/terminal/console.h"
#include "opkit/soc/soc_spec.h"

namespace opkit::cli {

std::string soc_text(const SocSpec& spec, const Palette& palette);
Json soc_json(const SocSpec& spec);

}  // namespace opkit::cli

#endif  // OPKIT_CLI_TEXT_SOC_TEXT_H_
