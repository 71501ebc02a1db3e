// From a program's graph and options to the bytes of an offline model.
#ifndef OPKIT_ATC_GE_BUILD_H_
#define OPKIT_ATC_GE_BUILD_H_

#include <map>
#include <string>

#include "graph/graph.h"
#include "opkit/base/status.h"

namespace opkit::ge_frontend {

using BuildOptions = std::map<std::string, std::string>;

// Names that are known; values of soc_version and precision modes. `for_process`: options that
// aclgrphBuildInitialize takes. Errors: OPK-GE-004 no such option, or one that is not there yet;
// E10001 a value.
Status check_options(const BuildOptions& options, bool for_process);

// Compiles as `atc` does, with the ops that the environment names. Errors: those of check_options,
// lower and compile.
Result<std::string> build_model(const ge::Graph& graph, const BuildOptions& options);

}  // namespace opkit::ge_frontend

#endif  // OPKIT_ATC_GE_BUILD_H_
