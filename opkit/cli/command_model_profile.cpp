#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "opkit/base/file.h"
#include "opkit/cli/all_commands.h"
#include "opkit/cli/chip_ops.h"
#include "opkit/cli/console.h"
#include "opkit/cli/exit_code.h"
#include "opkit/cli/model_inputs.h"
#include "opkit/cli/model_profile_text.h"
#include "opkit/cli/op_choice.h"
#include "opkit/cli/opp_option.h"
#include "opkit/cli/threads_flag.h"
#include "opkit/model/om_file.h"
#include "opkit/model_profile/timeline_trace.h"
#include "opkit/model_run/model_runner.h"

namespace opkit::cli {
namespace {

using model_profile::ModelProfile;

Result<double> link_of(const Arguments& arguments) {
  const std::string text = arguments.get("--link");
  double rate = 0;
  const auto [stop, failure] = std::from_chars(text.data(), text.data() + text.size(), rate);
  const bool whole = failure == std::errc() && stop == text.data() + text.size();
  if (whole && rate >= 0.001 && rate <= 1e6) return rate;
  return Error("OPK-CLI-004", fmt::format("--link is '{}'", text),
               "10^9 bytes per second, from 0.001: --link 16");
}

Result<ModelProfile> profile_of(const std::string& file, const Arguments& arguments,
                                Console& console) {
  OPKIT_TRY(model::OfflineModel model, model::load(file));
  OPKIT_CHECK(model_run::check_fits(model));
  OPKIT_TRY(const std::vector<Tensor> inputs,
            model_inputs(model, arguments, WithoutFile::kGenerated));
  const registry::Registry registry = open_registry(arguments, console);
  const InstalledOps ops = open_ops(registry, model.soc, arguments, console);
  model_profile::ProfileOptions options;
  options.threads = static_cast<unsigned>(arguments.integer("--threads"));
  OPKIT_TRY(options.link_gbps, link_of(arguments));
  return model_profile::profile(std::move(model), ops, inputs, options);
}

Outcome run_model_profile(const Arguments& arguments, Console& console) {
  if (const auto file = arguments.find("--trace")) OPKIT_CHECK(check_writable(*file));
  OPKIT_TRY(const ModelProfile profile, profile_of(arguments.get("model"), arguments, console));
  std::optional<uint64_t> other_ns;
  if (const auto against = arguments.find("--against")) {
    OPKIT_TRY(const ModelProfile other, profile_of(*against, arguments, console));
    other_ns = other.parts.total();
  }
  if (const auto file = arguments.find("--trace"))
    OPKIT_CHECK(write_file(*file, model_profile::timeline_trace(profile)));
  const auto patterns = model_profile::diagnose(profile, other_ns);
  const auto top = static_cast<size_t>(arguments.integer("--top"));
  const std::string runs = runs_where(arguments);
  console.show(profile_json(profile, patterns, top, runs),
               profile_text(profile, patterns, top, runs, console.out()));
  return kOk;
}

std::vector<Flag> model_profile_flags() {
  std::vector<Flag> all = {
      model_input_flag("a .npy file for an input; without one its values are generated, zeros of "
                       "int32 and int64"),
      {.name = "--seed",
       .value = "N",
       .help = "of the values of inputs without a file",
       .integer = true,
       .preset = "1"},
      {.name = "--top",
       .value = "K",
       .help = "the steps that take longest",
       .integer = true,
       .least = 1,
       .most = 100000,
       .preset = "10"},
      {.name = "--link",
       .value = "GB/S",
       .help = "what copies between host and device are taken to reach, 10^9 bytes per second",
       .preset = "16"},
      {.name = "--against",
       .value = "FILE",
       .help = "the same model without int8: does int8 gain?",
       .complete = Complete::kFile},
      {.name = "--trace",
       .value = "FILE",
       .help = "write a timeline that Perfetto and chrome://tracing open",
       .complete = Complete::kFile},
      threads_flag()};
  for (Flag& flag : worker_flags(Worker::kUnlessToldOtherwise)) all.push_back(std::move(flag));
  all.push_back(opp_flag());
  return all;
}

}  // namespace

Command model_profile_command() {
  return {
      .name = "model profile",
      .summary = "modelled time of an offline model, step by step, with a diagnosis",
      .details =
          "Kernels run once under the Timed mode, each with L2 cold, and follow each other on\n"
          "one stream. Operators on the host are timed by this host's clock; copies are the\n"
          "bytes at the rate of --link, which is an assumption. Six patterns of bottlenecks are\n"
          "judged on every profile, with advice. Chips without measured figures are refused.",
      .positionals = {{.name = "model",
                       .help = "a file that atc wrote",
                       .complete = Complete::kFile}},
      .flags = model_profile_flags(),
      .examples = {{"opkit model profile resnet50.om --trace t.json", "and the timeline"},
                   {"opkit model profile net_int8.om --against net.om --json",
                    "whether int8 gains"}},
      .run = run_model_profile};
}

}  // namespace opkit::cli
