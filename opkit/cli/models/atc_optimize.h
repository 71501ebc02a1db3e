// atc --optimize: what the flags ask of the search.
#ifndef OPKIT_CLI_MODELS_ATC_OPTIMIZE_H_
#define OPKIT_CLI_MODELS_ATC_OPTIMIZE_H_

#include <optional>

#include "opkit/atc/optimize/optimize.h"
#include "opkit/cli/options/arguments.h"
#include "opkit/cli/terminal/console.h"

namespace opkit::cli {

// Returns nothing without --optimize; with it `options` get the steps that were found. Errors:
// optimize's.
Result<std::optional<optimize::Optimized>> optimize_model(const graph::Graph& graph,
                                                          const Arguments& arguments,
                                                          const InstalledOps& ops,
                                                          compile::Options& options,
                                                          Console& console);

}  // namespace opkit::cli

#endif  // OPKIT_CLI_MODELS_ATC_OPTIMIZE_H_
