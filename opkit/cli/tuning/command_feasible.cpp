// opkit feasible: is a fused op worth its work, before there is a kernel.
#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "opkit/atc/compile/prepare.h"
#include "opkit/call/execute/installed_ops.h"
#include "opkit/cli/commands/all_commands.h"
#include "opkit/cli/models/imported_model.h"
#include "opkit/cli/options/op_choice.h"
#include "opkit/cli/options/opp_option.h"
#include "opkit/cli/options/prepared_call.h"
#include "opkit/cli/terminal/exit_code.h"
#include "opkit/cli/tuning/feasible_subject.h"
#include "opkit/fusion/author/region.h"
#include "opkit/fusion/feasible/feasible.h"
#include "opkit/measure/bench/bench_case.h"
#include "opkit/rewrite/match/match.h"

namespace opkit::cli {
namespace {

using feasible::Feasibility;
using feasible::FeasibilityQuestion;

// "128x128x64" or "8192"; what is no number is 0, which no loops take.
std::vector<uint64_t> tile_words(const std::string& text) {
  std::vector<uint64_t> sizes;
  std::istringstream stream(text);
  for (std::string word; std::getline(stream, word, 'x');) {
    const bool digits =
        !word.empty() && word.size() < 10 &&
        std::all_of(word.begin(), word.end(), [](char c) { return c >= '0' && c <= '9'; });
    sizes.push_back(digits ? std::stoull(word) : 0);
  }
  return sizes;
}

// Returns the chips that --soc names, else those of the contract, else one of each architecture.
Result<std::vector<const SocSpec*>> chips_of(const std::vector<std::string>& contract_socs,
                                             const Arguments& arguments, Console& console) {
  std::vector<std::string> names = arguments.all("--soc");
  if (names.empty()) names = contract_socs;
  if (names.empty()) names = {"Ascend910B1", "Ascend310B1"};
  std::vector<const SocSpec*> chips;
  for (const std::string& name : names) {
    std::string full = name;
    if (arguments.has("--soc")) {
      OPKIT_TRY(full, checked_soc(name, console));
    }
    OPKIT_TRY(const SocMatch match, find_soc(full));
    if (std::find(chips.begin(), chips.end(), match.spec) == chips.end())
      chips.push_back(match.spec);
  }
  return chips;
}

Result<graph::Graph> prepared_model(const Arguments& arguments, Console& console) {
  OPKIT_TRY(graph::Graph graph, imported_model(arguments.get("--model"), arguments));
  OPKIT_TRY(const compile::Prepared prepared, compile::prepare(graph));
  for (const Error& warning : prepared.warnings) console.note(warning);
  return graph;
}

Result<Feasibility> of_contract(const OpContract& contract, const Arguments& arguments,
                                Console& console) {
  OPKIT_TRY(const AskedOp asked, asked_op(contract, arguments));
  FeasibilityQuestion question{asked.call, {}, tile_words(arguments.get("--tile")), {}};
  OPKIT_TRY(question.chips, chips_of(contract.soc, arguments, console));
  if (arguments.has("--model")) {
    OPKIT_TRY(const graph::Graph model, prepared_model(arguments, console));
    const match::Found found = match::Matcher(model).find(contract);
    question.occurrences = {arguments.get("--model"), found.matches.size()};
  }
  return feasible::feasibility_of(asked.subject, question);
}

Result<Feasibility> of_nodes(const Arguments& arguments, Console& console) {
  OPKIT_TRY(const graph::Graph model, prepared_model(arguments, console));
  std::vector<std::string> wanted;
  std::istringstream stream(arguments.get("--nodes"));
  for (std::string word; std::getline(stream, word, ',');)
    if (!word.empty()) wanted.push_back(word);
  OPKIT_TRY(const std::vector<size_t> nodes, author::find_nodes(model, wanted));
  OPKIT_TRY(const feasible::Subject subject, feasible::subject_of(model, nodes));
  FeasibilityQuestion question{
      "nodes of " + arguments.get("--model"), {}, tile_words(arguments.get("--tile")), {}};
  OPKIT_TRY(question.chips, chips_of({}, arguments, console));
  question.occurrences = {arguments.get("--model"), feasible::times_in(model, nodes)};
  return feasible::feasibility_of(subject, question);
}

// Every installed op of several operators with a bench shape.
Outcome every_op(const Arguments& arguments, Console& console) {
  const registry::Registry registry = open_registry(arguments, console);
  const InstalledOps ops = InstalledOps::open(registry, "");
  Json all = Json::array(), failed = Json::array();
  std::string text;
  for (const auto& op : ops.all()) {
    const OpContract& contract = op->contract();
    if (contract.reference.size() < 2 || contract.bench.empty()) continue;
    const auto one = of_contract(contract, arguments, console);
    if (!one.ok()) {
      failed.push_back({{"op", contract.op}, {"error", to_json(one.error())}});
      text += one.error().to_string() + "\n";
      continue;
    }
    all.push_back(feasible::feasible_json(*one));
    text += feasible::feasible_text(*one) + "\n";
  }
  const bool whole = failed.size() == 0;
  console.show({{"ops", std::move(all)}, {"failed", std::move(failed)}}, text);
  return whole ? kOk : kFailed;
}

Outcome run_feasible(const Arguments& arguments, Console& console) {
  if (arguments.has("--all")) return every_op(arguments, console);
  const bool nodes = arguments.has("--nodes");
  if (nodes == arguments.has("op") || (nodes && !arguments.has("--model")))
    return Error("OPK-CLI-003", "name an op, or a model with nodes of it",
                 "opkit feasible AddRelu; opkit feasible --model m.onnx --nodes add_1,relu_1");
  if (nodes) {
    OPKIT_TRY(const Feasibility one, of_nodes(arguments, console));
    console.show(feasible::feasible_json(one), feasible::feasible_text(one));
    return kOk;
  }
  OPKIT_TRY(const OpContract contract, choose_contract(arguments.get("op"), arguments, console));
  OPKIT_TRY(const Feasibility one, of_contract(contract, arguments, console));
  console.show(feasible::feasible_json(one), feasible::feasible_text(one));
  return kOk;
}

std::vector<Flag> feasible_flags() {
  std::vector<Flag> flags = {
      {.name = "--soc",
       .value = "NAME",
       .help = "the chips; without it those of the contract",
       .complete = Complete::kSoc,
       .repeated = true},
      {.name = "--model",
       .value = "FILE",
       .help = "an ONNX model: how often the pattern stands there",
       .complete = Complete::kFile},
      {.name = "--nodes", .value = "NAME,...", .help = "nodes of the model in place of an op"},
      {.name = "--input_shape",
       .value = "NAME:DIMS;...",
       .help = "dims of inputs that the model leaves open"},
      {.name = "--tile",
       .value = "SIZE",
       .help = "the buffers of this tile (8192, or 128x128x64) in place of the largest one"},
      {.name = "--all", .value = "", .help = "every installed op of several operators"},
      case_flag("which of the contract's bench shapes")};
  for (Flag& flag : shape_flags()) flags.push_back(std::move(flag));
  flags.push_back(input_flag());
  for (Flag& flag : choice_flags()) flags.push_back(std::move(flag));
  return flags;
}

}  // namespace

Command feasible_command() {
  return {
      .name = "feasible",
      .summary = "what a fused op would gain and take, before there is a kernel",
      .details =
          "Reads a contract, or nodes of a model, and nothing else: bytes of every tensor apart "
          "and\n"
          "fused, launches saved, arithmetic, bounds and expected gain on each chip, the buffers "
          "of\n"
          "a tile to the byte, and a checklist whose items say the number that they rest on.",
      .positionals = {{.name = "op",
                       .help = "a contract, a project, a package or an installed op",
                       .complete = Complete::kOp,
                       .required = false}},
      .flags = feasible_flags(),
      .examples = {{"opkit feasible op_contract.yaml", "at the first bench shape of the contract"},
                   {"opkit feasible AddRelu --model resnet50.onnx --json",
                    "with how often it stands in a model, for scripts"},
                   {"opkit feasible --model m.onnx --nodes conv_1,relu_1 --soc Ascend310B1",
                    "nodes of a model, on one chip"}},
      .run = run_feasible,
  };
}

}  // namespace opkit::cli
