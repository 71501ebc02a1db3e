#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <optional>

#include "opkit/base/file.h"
#include "opkit/cli/commands/all_commands.h"
#include "opkit/cli/models/aipp_inputs.h"
#include "opkit/cli/models/model_inputs.h"
#include "opkit/cli/models/model_profile_text.h"
#include "opkit/cli/options/chip_ops.h"
#include "opkit/cli/options/op_choice.h"
#include "opkit/cli/options/opp_option.h"
#include "opkit/cli/options/threads_flag.h"
#include "opkit/cli/terminal/console.h"
#include "opkit/cli/terminal/exit_code.h"
#include "opkit/model/file/om_file.h"
#include "opkit/model/profile/statistics.h"
#include "opkit/model/profile/timeline_trace.h"
#include "opkit/model/run/model_runner.h"

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

// A model, and what it is to run on.
struct Subject {
  model::OfflineModel model;
  std::vector<Tensor> inputs;
};

Result<Subject> read_subject(const std::string& file, const Arguments& arguments) {
  OPKIT_TRY(model::OfflineModel model, model::load(file));
  OPKIT_CHECK(model_run::check_fits(model));
  OPKIT_TRY(std::vector<Tensor> inputs, model_inputs(model, arguments, WithoutFile::kGenerated));
  return Subject{std::move(model), std::move(inputs)};
}

// Names the subject's inputs, whose element types may differ: int8 is what is compared.
std::string inputs_text(const Subject& subject) {
  std::vector<std::string> texts;
  for (size_t i = 0; i < subject.inputs.size(); ++i)
    texts.push_back(subject.model.tensors[subject.model.inputs[i]].desc.name +
                    subject.inputs[i].shape().to_string());
  return fmt::format("{}", fmt::join(texts, " "));
}

// Times of other frames say nothing about int8.
Status check_comparable(const Subject& one, const Subject& other, const std::string& file) {
  if (one.model.soc != other.model.soc)
    return Error("OPK-CLI-004",
                 fmt::format("--against {} is a model for {}, the other one is for {}", file,
                             other.model.soc, one.model.soc),
                 fmt::format("compile it with --soc_version={}", one.model.soc));
  const std::string here = inputs_text(one), there = inputs_text(other);
  if (here == there) return {};
  return Error(model::kBadInput,
               fmt::format("--against {} takes {}, the model takes {}", file, there, here),
               "give the same network with the same inputs, compiled without int8");
}

Result<ModelProfile> profile_of(Subject subject, const Arguments& arguments, Console& console) {
  const registry::Registry registry = open_registry(arguments, console);
  const InstalledOps ops = open_ops(registry, subject.model.soc, arguments, console);
  model_profile::ProfileOptions options;
  options.threads = static_cast<unsigned>(arguments.integer("--threads"));
  options.frames = static_cast<unsigned>(arguments.integer("--frames"));
  OPKIT_TRY(options.link_gbps, link_of(arguments));
  return model_profile::profile(std::move(subject.model), ops, subject.inputs, options);
}

struct Profiles {
  ModelProfile profile;
  std::optional<uint64_t> other_ns;  // is the time of a frame of --against
};
// Profiles both models, which are read and compared before one is run.
Result<Profiles> profiles_of(const Arguments& arguments, Console& console) {
  OPKIT_TRY(Subject subject, read_subject(arguments.get("model"), arguments));
  std::optional<Subject> other;
  if (const auto against = arguments.find("--against")) {
    OPKIT_TRY(other, read_subject(*against, arguments));
    OPKIT_CHECK(check_comparable(subject, *other, *against));
  }
  Profiles all;
  OPKIT_TRY(all.profile, profile_of(std::move(subject), arguments, console));
  if (!other) return all;
  OPKIT_TRY(const ModelProfile compared, profile_of(std::move(*other), arguments, console));
  all.other_ns = compared.parts.total();
  return all;
}

// Writes op_summary.csv and op_statistic.csv, as msProf's users know them, into a folder.
Status write_tables(const ModelProfile& profile, const std::filesystem::path& folder) {
  OPKIT_CHECK(write_file(folder / "op_summary.csv", model_profile::op_summary_csv(profile)));
  return write_file(folder / "op_statistic.csv", model_profile::op_statistic_csv(profile));
}

Outcome run_model_profile(const Arguments& arguments, Console& console) {
  if (const auto file = arguments.find("--trace")) OPKIT_CHECK(check_writable(*file));
  if (const auto folder = arguments.find("--csv"))
    OPKIT_CHECK(check_writable(std::filesystem::path(*folder) / "op_summary.csv"));
  OPKIT_TRY(const Profiles all, profiles_of(arguments, console));
  const ModelProfile& profile = all.profile;
  if (const auto file = arguments.find("--trace"))
    OPKIT_CHECK(write_file(*file, model_profile::timeline_trace(profile)));
  if (const auto folder = arguments.find("--csv")) OPKIT_CHECK(write_tables(profile, *folder));
  const auto patterns = model_profile::diagnose(profile, all.other_ns);
  const auto top = static_cast<size_t>(arguments.integer("--top"));
  const std::string runs = runs_where(arguments);
  console.show(profile_json(profile, patterns, top, runs),
               profile_text(profile, patterns, top, runs, console.out()));
  return kOk;
}

std::vector<Flag> written_files() {
  return {{.name = "--trace",
           .value = "FILE",
           .help = "write a timeline that Perfetto and chrome://tracing open",
           .complete = Complete::kFile},
          {.name = "--csv",
           .value = "FOLDER",
           .help = "write op_summary.csv and op_statistic.csv there, with msProf's columns",
           .complete = Complete::kFile}};
}

std::vector<Flag> model_profile_flags() {
  std::vector<Flag> all = {
      model_input_flag("a .npy file for an input; without one its values are generated, zeros of "
                       "int32 and int64"),
      aipp_flag(),
      gear_flag(),
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
      {.name = "--frames",
       .value = "N",
       .help = "frames one behind the other, with the same inputs",
       .integer = true,
       .least = 1,
       .most = 1000,
       .preset = "1"},
      {.name = "--link",
       .value = "GB/S",
       .help = "what copies between host and device are taken to reach, 10^9 bytes per second",
       .preset = "16"},
      {.name = "--against",
       .value = "FILE",
       .help = "the same model without int8: does int8 gain?",
       .complete = Complete::kFile},
      threads_flag()};
  for (Flag& flag : written_files()) all.push_back(std::move(flag));
  for (Flag& flag : worker_flags(WorkerUse::kUnlessToldOtherwise)) all.push_back(std::move(flag));
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
                   {"opkit model profile net.om --csv .", "the tables of msProf's users"},
                   {"opkit model profile net_int8.om --against net.om --json",
                    "whether int8 gains"}},
      .run = run_model_profile};
}

}  // namespace opkit::cli
