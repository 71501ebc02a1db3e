// opkit analyze: what to write next for a model.
#include "opkit/atc/compile/input_shapes.h"
#include "opkit/cli/commands/all_commands.h"
#include "opkit/cli/models/imported_model.h"
#include "opkit/cli/options/arguments.h"
#include "opkit/cli/options/chip_ops.h"
#include "opkit/cli/options/opp_option.h"
#include "opkit/cli/terminal/console.h"
#include "opkit/cli/terminal/exit_code.h"
#include "opkit/fusion/analyze/analysis.h"
#include "opkit/soc/soc_names.h"
#include "registry/probe.h"

namespace opkit::cli {
namespace {

Outcome run_analyze(const Arguments& arguments, Console& console) {
  const std::string file = arguments.get("model");
  compile::Options options;
  OPKIT_TRY(options.candidates.soc, checked_soc(arguments.get("--soc"), console));
  options.cost_cache = registry::default_cache_dir() / "costs";
  OPKIT_TRY(const auto shapes, compile::parse_input_shapes(arguments.get("--input_shape")));
  const registry::Registry registry = open_registry(arguments, console);
  const InstalledOps ops = open_ops(registry, options.candidates.soc, arguments, console);
  OPKIT_TRY(graph::Graph graph,
            imported_model(file, shapes, arguments, ops, options.candidates.soc));
  OPKIT_TRY(const compile::Compiled compiled, compile::compile(std::move(graph), ops, options));
  for (const Error& warning : compiled.warnings) console.note(warning);
  OPKIT_TRY(const analyze::Analysis analysis, analyze::analyze(compiled));
  const auto most = static_cast<size_t>(arguments.integer("--top"));
  console.show(analyze::analysis_json(analysis), analyze::analysis_text(analysis, file, most));
  return kOk;
}

}  // namespace

Command analyze_command() {
  return {
      .name = "analyze",
      .summary = "chains of a model that are worth a fused op, by gain for the effort",
      .details =
          "Compiles the model with the installed ops and looks for kernels that one kernel could\n"
          "be: what stays on the chip, the time that saves, and what speaks against it.",
      .positionals = {{.name = "model", .help = "an ONNX model", .complete = Complete::kFile}},
      .flags = {{.name = "--soc",
                 .value = "NAME",
                 .help = "the chip",
                 .complete = Complete::kSoc,
                 .preset = default_soc()},
                {.name = "--top",
                 .value = "N",
                 .help = "how many chains are shown",
                 .integer = true,
                 .least = 1,
                 .most = 1000000,
                 .preset = "10"},
                {.name = "--input_shape",
                 .value = "NAME:DIMS;...",
                 .help = "dims of inputs that the model leaves open"},
                opp_flag()},
      .examples = {{"opkit analyze resnet50.onnx", "the ten most profitable chains"},
                   {"opkit analyze m.onnx --soc Ascend310B1 --json", "all of them, for scripts"}},
      .run = run_analyze,
  };
}

}  // namespace opkit::cli
