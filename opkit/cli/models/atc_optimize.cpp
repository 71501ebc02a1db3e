#include "opkit/cli/models/atc_optimize.h"

#include "opkit/cli/terminal/progress.h"

namespace opkit::cli {

Result<std::optional<optimize::Optimized>> optimize_model(const graph::Graph& graph,
                                                          const Arguments& arguments,
                                                          const InstalledOps& ops,
                                                          compile::Options& options,
                                                          Console& console) {
  if (!arguments.has("--optimize")) return std::optional<optimize::Optimized>();
  ProgressLine progress(console, "optimize");
  optimize::SearchLimits limits;
  limits.most = static_cast<size_t>(arguments.integer("--optimize-most"));
  limits.seed = static_cast<uint32_t>(arguments.integer("--optimize-seed"));
  limits.tried = [&](size_t done) { progress.advance(done, limits.most, "covers tried"); };
  OPKIT_TRY(optimize::Optimized made, optimize::optimize(graph, ops, options, limits));
  progress.finish();
  for (const Error& warning : made.found.warnings) console.note(warning);
  options.steps = made.steps();
  return std::optional(std::move(made));
}

}  // namespace opkit::cli
