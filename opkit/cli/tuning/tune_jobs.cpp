#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "opkit/atc/compile/compile.h"
#include "opkit/base/digest.h"
#include "opkit/cli/models/imported_model.h"
#include "opkit/cli/options/chip_ops.h"
#include "opkit/cli/options/op_choice.h"
#include "opkit/cli/options/opp_option.h"
#include "opkit/cli/options/prepared_call.h"
#include "opkit/cli/tuning/tune_job.h"
#include "opkit/contract/tuning.h"
#include "opkit/measure/bench/bench_case.h"
#include "registry/probe.h"

namespace opkit::cli {
namespace {

bool has_knobs(const OpContract& contract) {
  const auto knobs = read_knobs(contract.text, contract.location.file);
  return knobs.ok() && !knobs->empty();
}

Status add_cases(const std::string& word, const OpContract& contract, const std::string& soc,
                 const Arguments& arguments, std::vector<TuneJob>& jobs) {
  OPKIT_TRY(const measure::SaidCall said, read_call_options(contract, arguments));
  size_t column = 0;
  if (!said.dtypes.empty() || said.any_dtype) {
    OPKIT_TRY(column, pick_column(contract, said));
  }
  for (size_t i = 0; i < contract.bench.size(); ++i) {
    const bool wanted =
        !arguments.has("--case") || arguments.integer("--case") == static_cast<int64_t>(i + 1);
    if (!wanted) continue;
    OPKIT_TRY(measure::SaidCall call,
              measure::options_of_case(contract, contract.bench[i], column));
    for (const auto& [attr, value] : said.attrs) call.attrs[attr] = value;
    jobs.push_back(
        {word, soc, measure::text_of_case(contract, contract.bench[i]), std::move(call), 0, {}});
  }
  return {};
}

Result<std::vector<TuneJob>> jobs_of_op(const std::string& soc, const Arguments& arguments,
                                        Console& console) {
  const std::string word = arguments.get("op");
  OPKIT_TRY(const OpContract contract, choose_contract(word, arguments, console));
  if (!has_knobs(contract)) return no_knobs(contract);
  std::vector<TuneJob> jobs;
  if (says_inputs(arguments)) {
    OPKIT_TRY(measure::SaidCall call, read_call_options(contract, arguments));
    jobs.push_back({word, soc, "as asked for", std::move(call), 0, {}});
    return jobs;
  }
  OPKIT_CHECK(
      measure::bench_case(contract, arguments.has("--case") ? arguments.integer("--case") : 1));
  OPKIT_CHECK(add_cases(word, contract, soc, arguments, jobs));
  return jobs;
}

bool serves(const OpContract& contract, const std::string& soc) {
  const std::string family = find_soc(soc).ok() ? find_soc(soc)->spec->short_name : soc;
  return contract.soc.empty() ||
         std::any_of(contract.soc.begin(), contract.soc.end(),
                     [&](const std::string& name) { return name == soc || name == family; });
}

Result<std::vector<TuneJob>> jobs_of_all(const std::string& soc, const Arguments& arguments,
                                         Console& console) {
  const registry::Registry registry = open_registry(arguments, console);
  const InstalledOps ops = InstalledOps::open(registry, soc);
  std::vector<TuneJob> jobs;
  for (const auto& op : ops.all()) {
    if (!has_knobs(op->contract()) || !serves(op->contract(), soc)) continue;
    OPKIT_CHECK(add_cases(op->contract().op, op->contract(), soc, arguments, jobs));
  }
  return jobs;
}

// Returns the call that a chosen candidate of a compiled model makes.
measure::SaidCall call_of(const compile::Candidate& one) {
  measure::SaidCall call;
  const OpContract& contract = one.op->contract();
  for (size_t p = 0; p < contract.inputs.size(); ++p) {
    const Port& port = contract.inputs[p];
    for (const StorageLayout& layout : one.plan->input_layouts[p]) {
      call.shapes[port.name].push_back(fmt::format("{}", fmt::join(layout.origin().dims(), ",")));
      call.dtypes[port.name] = layout.dtype();
      call.formats[port.name] = layout.format();
    }
    if (p >= one.plan->values.size() || one.plan->values[p].empty()) continue;
    call.tensors[port.name] = one.plan->values[p];  // what the host reads decides the tiling
    call.shapes.erase(port.name);
  }
  call.attrs = one.plan->binding.attrs;
  return call;
}

Result<std::vector<TuneJob>> jobs_of_model(const std::string& soc, const Arguments& arguments,
                                           Console& console) {
  const InstalledOps ops = open_ops(open_registry(arguments, console), soc, arguments, console);
  compile::Options options;
  options.candidates.soc = soc;
  options.cost_cache = registry::default_cache_dir() / "costs";
  OPKIT_TRY(graph::Graph graph, imported_model(arguments.get("--model"), arguments));
  OPKIT_TRY(const compile::Compiled compiled, compile::compile(std::move(graph), ops, options));
  std::map<std::string, TuneJob> jobs;  // holds jobs by their words: a model makes many calls twice
  for (const size_t c : compiled.cover.chosen) {
    const compile::Candidate& one = compiled.candidates.all[c];
    if (one.taker != compile::Taker::kPlugin || one.off_chip() || !has_knobs(one.op->contract()))
      continue;
    TuneJob job{one.op->contract().op, soc, one.node_names(compiled.graph), call_of(one), 0, {}};
    TuneJob& known = jobs.try_emplace(job.text(), std::move(job)).first->second;
    known.weight += one.nanoseconds;
  }
  std::vector<TuneJob> all;
  for (auto& [text, job] : jobs) all.push_back(std::move(job));
  std::stable_sort(all.begin(), all.end(),
                   [](const TuneJob& a, const TuneJob& b) { return a.weight > b.weight; });
  return all;
}

}  // namespace

Error no_knobs(const OpContract& contract) {
  return contract.error(
      "OPK-TUNE-008", "it has no knobs: its tiling function leaves nothing to choose",
      "declare them in the contract (tuning: {tile: [1024, 2048, 4096]}) and read each with "
      "tuning::Knob(context, \"tile\", otherwise) of tuning.h; see docs/tuning.md");
}

std::string TuneJob::text() const {
  std::string text = op + " " + soc;
  for (const auto& [port, shapes] : call.shapes)
    for (const std::string& shape : shapes) text += fmt::format(" {}=[{}]", port, shape);
  for (const auto& [port, dtype] : call.dtypes) text += fmt::format(" {}:{}", port, name_of(dtype));
  if (call.any_dtype) text += fmt::format(" {}", name_of(*call.any_dtype));
  for (const auto& [port, format] : call.formats)
    text += fmt::format(" {}|{}", port, name_of(format));
  for (const auto& [port, shapes] : call.out_shapes)
    for (const Shape& shape : shapes) text += fmt::format(" {}->{}", port, shape.to_string());
  for (const auto& [port, tensors] : call.tensors)
    for (const Tensor& tensor : tensors)
      text += fmt::format(" {}={}{} {}", port, name_of(tensor.dtype()), tensor.shape().to_string(),
                          sha256_hex({reinterpret_cast<const char*>(tensor.data()),
                                      static_cast<size_t>(tensor.size_bytes())}));
  for (const auto& [attr, value] : call.attrs)
    text += fmt::format(" {}={}", attr, to_string(value));
  return text;
}

// Says what nothing that was asked for has.
Error nothing_to_tune(const Arguments& arguments) {
  if (arguments.has("--model"))
    return Error("OPK-TUNE-016",
                 fmt::format("no op that {} calls has knobs", arguments.get("--model")),
                 "opkit atc --explain shows its ops; docs/tuning.md says how an op gets knobs");
  return Error("OPK-TUNE-016",
               arguments.has("--case")
                   ? fmt::format("no op with knobs has a bench case {}", arguments.get("--case"))
                   : std::string("no installed op has knobs and bench shapes"),
               "opkit tune --all without --case, or another --opp");
}

Result<std::vector<TuneJob>> tune_jobs(const Arguments& arguments, Console& console) {
  const int asked = (arguments.has("op") ? 1 : 0) + (arguments.has("--all") ? 1 : 0) +
                    (arguments.has("--model") ? 1 : 0);
  if (asked != 1)
    return Error("OPK-TUNE-014", "name one op, or give --all, or --model with a file",
                 "opkit tune AddRelu");
  OPKIT_TRY(const std::string soc, checked_soc(arguments.get("--soc"), console));
  OPKIT_TRY(std::vector<TuneJob> jobs, arguments.has("op") ? jobs_of_op(soc, arguments, console)
                                       : arguments.has("--all")
                                           ? jobs_of_all(soc, arguments, console)
                                           : jobs_of_model(soc, arguments, console));
  if (jobs.empty()) return nothing_to_tune(arguments);
  for (TuneJob& job : jobs) job.digest = sha256_hex(job.text()).substr(0, 16);
  return jobs;
}

}  // namespace opkit::cli
