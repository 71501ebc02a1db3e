#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <set>
#include <sstream>

#include "opkit/base/file.h"
#include "opkit/base/shell_word.h"
#include "opkit/build/project/scratch.h"
#include "opkit/call/execute/execution.h"
#include "opkit/call/trace/trace.h"
#include "opkit/cli/commands/all_commands.h"
#include "opkit/cli/commands/profile_program.h"
#include "opkit/cli/options/parser.h"
#include "opkit/cli/options/prepared_call.h"
#include "opkit/cli/terminal/exit_code.h"
#include "opkit/cli/terminal/table.h"
#include "opkit/cli/text/observation_text.h"
#include "opkit/cli/text/profile_file.h"
#include "opkit/cli/text/timed_causes.h"
#include "opkit/cli/text/timed_text.h"
#include "opkit/measure/bench/bench_case.h"
#include "opkit/measure/said/tensor_source.h"
#include "opkit/soc/soc_spec.h"

namespace opkit::cli {
namespace {

// An op that was launched once, timed.
struct TimedOp {
  ChosenOp chosen;
  std::string column;
  core::TimedResult result;
  core::PlaceNames places;
  bool measured_chip = false;  // somebody measured figures of the chip
};

// "4" and "4-7"; nothing: neither.
std::optional<std::pair<uint32_t, uint32_t>> numbers_of(const std::string& word) {
  std::pair<uint32_t, uint32_t> range;
  const char *begin = word.data(), *end = begin + word.size();
  auto read = std::from_chars(begin, end, range.first);
  range.second = range.first;
  if (read.ec == std::errc() && read.ptr != end && *read.ptr == '-')
    read = std::from_chars(read.ptr + 1, end, range.second);
  if (read.ec != std::errc() || read.ptr != end || range.second < range.first) return std::nullopt;
  return range;
}

// Returns what the command line says; without shapes a case of the contract's bench, in the column
// of the dtypes that were said.
Result<measure::SaidCall> options_of(const OpContract& contract, const Arguments& arguments) {
  OPKIT_TRY(measure::SaidCall said, read_call_options(contract, arguments));
  if (says_inputs(arguments) || (contract.bench.empty() && !arguments.has("--case"))) return said;
  OPKIT_TRY(const size_t column, pick_column(contract, said));
  const int64_t number = arguments.has("--case") ? arguments.integer("--case") : 1;
  OPKIT_TRY(const Case* one, measure::bench_case(contract, number));
  OPKIT_TRY(measure::SaidCall options, measure::options_of_case(contract, *one, column));
  for (const auto& [name, value] : said.attrs) options.attrs[name] = value;
  options.out_shapes = std::move(said.out_shapes);
  return options;
}

Result<TimedOp> time_op(const std::string& word, const Arguments& arguments, Console& console) {
  TimedOp timed;
  OPKIT_TRY(timed.chosen,
            choose_op_and_soc(word, arguments, open_options(arguments, console), console));
  OPKIT_TRY(measure::SaidCall options, options_of(timed.chosen.contract(), arguments));
  OPKIT_TRY(Invocation call, invocation_of(timed.chosen, std::move(options),
                                           measure::uniform(seed_of(arguments)), 1));
  call.schedule_seed = schedule_seed(arguments);
  WatchOptions watch;
  watch.mode = Mode::kTimed;
  watch.of_unmeasured_chips = true;  // which the report says
  watch.timed.spans = true;
  watch.timed.warm_runs = static_cast<uint32_t>(arguments.integer("--warm"));
  const OpContract& contract = timed.chosen.contract();
  OPKIT_TRY(Observation seen, timed.chosen.executor().watch(std::move(call), watch));
  OPKIT_CHECK(fault_of(seen, watch.mode, contract.op));
  OPKIT_TRY(const SocMatch soc, find_soc(timed.chosen.soc));
  timed.measured_chip = soc.spec->timing_is_measured();
  timed.column = contract.column_name(seen.execution.column);
  timed.result = std::move(*seen.watched.timed);
  timed.places = seen.places;
  return timed;
}

// "0", "0,3", "4-7"; empty: every block.
Result<std::set<uint32_t>> blocks_of(const Arguments& arguments, const core::TimedResult& result) {
  std::set<uint32_t> blocks;
  std::istringstream words(arguments.get("--blocks"));
  for (std::string word; std::getline(words, word, ',');) {
    const auto range = numbers_of(word);
    if (!range || range->second >= result.block_dim)
      return Error("OPK-CLI-003",
                   fmt::format("--blocks {} names no blocks of this launch, which has 0 to {}",
                               arguments.get("--blocks"), result.block_dim - 1),
                   "--blocks 0, or --blocks 0,4-7");
    for (uint32_t block = range->first; block <= range->second; ++block) blocks.insert(block);
  }
  return blocks;
}

// Says how far the figures may be trusted; empty: the model was set by measurements of the chip.
std::string trust_text(const TimedOp& timed) {
  if (timed.measured_chip) return "";
  return fmt::format(
      "nothing was measured on {}: trust which pipes are busy and which variant is faster, not the "
      "microseconds\n",
      timed.chosen.soc);
}

Outcome profile_op(const Arguments& arguments, Console& console) {
  if (const auto file = arguments.find("--trace")) OPKIT_CHECK(check_writable(*file));
  OPKIT_TRY(const TimedOp timed, time_op(arguments.all("op").front(), arguments, console));
  const std::string& op = timed.chosen.contract().op;
  OPKIT_TRY(const std::set<uint32_t> blocks, blocks_of(arguments, timed.result));
  if (const auto file = arguments.find("--trace"))
    OPKIT_CHECK(write_file(*file, trace::chrome_trace(timed.result, timed.places, blocks)));
  if (const auto folder = arguments.find("--out"))
    OPKIT_CHECK(trace::write_profile(*folder, timed.result, op, timed.chosen.soc, timed.places));
  Json json{{"op", op},
            {"soc", timed.chosen.soc},
            {"chip_is_measured", timed.measured_chip},
            {"runs", timed.chosen.op->runs}};
  json.update(timed_json(timed.result));
  json.update(causes_json(timed.result, timed.places));
  console.show(json, fmt::format("{} {} on {}\n{}{}{}{}", op, timed.column, timed.chosen.soc,
                                 trust_text(timed),
                                 diagnosis_text(timed.result, timed.places, console.out()),
                                 timed_text(timed.result, console.out()),
                                 causes_text(timed.result, timed.places, console.out())));
  return kOk;
}

// Hands a side the options that hold for both sides of a comparison, unless it has its own.
void inherit(const Arguments& arguments, std::vector<std::string>& words) {
  std::vector<Flag> flags = profile_command().flags;
  const std::vector<std::string> own = words;
  for (const Flag& flag : flags) {
    if (!flag.takes_value() || flag.name == "--out" || flag.name == "--trace" ||
        flag.name == "--blocks")
      continue;
    const bool given = std::any_of(own.begin(), own.end(), [&](const std::string& word) {
      return word == flag.name || word.starts_with(flag.name + "=");
    });
    if (given) continue;
    if (!arguments.has(flag.name)) continue;
    for (const std::string& value : arguments.all(flag.name)) {
      words.push_back(flag.name);
      words.push_back(value);
    }
  }
}

// Returns a side of a comparison: a kept profile, a program with its arguments, or an op with
// options.
Result<std::vector<NamedProfile>> side(const std::string& text, const Arguments& arguments,
                                       Console& console) {
  if (is_kept_profile(text)) return read_profiles(text);
  std::vector<std::string> words = shell_words(text);
  if (words.empty()) return Error("OPK-CLI-004", "a side of --compare is empty", "name an op");
  if (names_program(words.front())) {
    const project::Scratch scratch;
    OPKIT_CHECK(scratch.check());
    OPKIT_TRY(ProfiledProgram program,
              run_timed(words, scratch.path(), program_options(arguments)));
    if (program.failure) return *program.failure;
    return std::move(program.launches);
  }
  inherit(arguments, words);
  OPKIT_TRY(const Arguments own, Parser::parse(profile_command(), words));
  OPKIT_TRY(const TimedOp timed, time_op(words.front(), own, console));
  return std::vector<NamedProfile>{
      {timed.chosen.contract().op, timed.chosen.soc, trace::figures(timed.result)}};
}

Json changes_json(const std::vector<trace::FigureChange>& changes) {
  Json list = Json::array();
  for (const trace::FigureChange& change : changes) {
    Json entry{{"name", change.name}, {"a", change.before}, {"b", change.after}};
    entry["percent"] = nullptr;
    if (const auto percent = change.percent()) entry["percent"] = *percent;
    list.push_back(std::move(entry));
  }
  return list;
}

std::string changes_text(const NamedProfile& a, const NamedProfile& b,
                         const std::vector<trace::FigureChange>& changes, const Palette& palette) {
  Table table({"figure", ">A", ">B", ">change"});
  for (const trace::FigureChange& change : changes) {
    const auto percent = change.percent();
    table.add({change.name, std::to_string(change.before), std::to_string(change.after),
               percent ? fmt::format("{:+.1f} %", *percent) : "new"});
  }
  return fmt::format("A: {} on {}\nB: {} on {}\n\n{}", a.name, a.soc, b.name, b.soc,
                     table.to_string(palette));
}

Outcome compare_two(const Arguments& arguments, Console& console) {
  const std::vector<std::string> sides = arguments.all("op");
  if (sides.size() != 2) {
    return Error("OPK-CLI-003", fmt::format("--compare needs two sides, not {}", sides.size()),
                 "quote a side that has options: opkit profile --compare \"AddRelu --shape "
                 "x=4096\" profile.json");
  }
  OPKIT_TRY(const std::vector<NamedProfile> a, side(sides[0], arguments, console));
  OPKIT_TRY(const std::vector<NamedProfile> b, side(sides[1], arguments, console));
  if (a.size() != b.size() || a.empty()) {
    return Error("OPK-CLI-031", fmt::format("A has {} launches, B {}", a.size(), b.size()),
                 "compare single launches: the folders of opkit profile --out");
  }
  Json comparisons = Json::array();
  std::string text;
  for (size_t i = 0; i < a.size(); ++i) {
    const auto changes = trace::compare(a[i].figures, b[i].figures);
    comparisons.push_back({{"a", a[i].name}, {"b", b[i].name}, {"figures", changes_json(changes)}});
    text += (i ? "\n" : "") + changes_text(a[i], b[i], changes, console.out());
  }
  console.show({{"comparisons", std::move(comparisons)}}, text);
  return kOk;
}

Outcome run_profile(const Arguments& arguments, Console& console) {
  if (arguments.has("--compare")) return compare_two(arguments, console);
  const std::vector<std::string> words = arguments.all("op");
  if (names_program(words.front())) return profile_program(arguments, console);
  if (words.size() > 1) {
    return Error("OPK-CLI-005", fmt::format("'{}' is one too many", words[1]),
                 "only programs take arguments; --compare takes two sides");
  }
  return profile_op(arguments, console);
}

std::vector<Flag> flags_of_profile() {
  std::vector<Flag> flags = call_flags();
  for (Flag& flag : worker_flags(WorkerUse::kUnlessToldOtherwise)) flags.push_back(std::move(flag));
  flags.push_back({.name = "--warm",
                   .value = "N",
                   .help = "runs before the one that counts: what they leave in L2 stays there",
                   .integer = true,
                   .most = 100,
                   .preset = "0"});
  flags.push_back(case_flag("without shapes: this of the contract's bench shapes [1]"));
  flags.push_back({.name = "--compare",
                   .value = "",
                   .help = "put two side by side: ops with options in quotes, programs, kept "
                           "profiles"});
  flags.push_back({.name = "--trace",
                   .value = "FILE",
                   .help = "write a timeline that Perfetto and chrome://tracing open",
                   .complete = Complete::kFile});
  flags.push_back({.name = "--blocks",
                   .value = "N,...",
                   .help = "whose cores the timeline of --trace shows [all]"});
  flags.push_back({.name = "--out",
                   .value = "DIR",
                   .help = "write the files of msProf op (PipeUtilization.csv, ...), the timeline, "
                           "a summary and profile.json",
                   .complete = Complete::kDirectory});
  return flags;
}

}  // namespace

Command profile_command() {
  return {
      .name = "profile",
      .summary = "modelled time of an op's call or a program's kernels: cycles, pipes, traffic",
      .details =
          "Says first what the launch is bound by and where its pipes wait for each other, by\n"
          "queue, flag and line. The figures come from the timing model, not from a clock: they\n"
          "are the same on every machine. For a chip without measured figures that is said: only\n"
          "the order of variants counts there. Options before --compare's sides hold for both.",
      .positionals = {{.name = "op",
                       .help = "an installed op, a package, a built project, or a program of opkit "
                               "cc with its arguments",
                       .complete = Complete::kOp,
                       .repeated = true}},
      .flags = flags_of_profile(),
      .examples = {{"opkit profile AddRelu --shape x=1048576 --shape y=1048576 --dtype float16",
                    "on Ascend910B1, L2 cold"},
                   {"opkit profile AddRelu --shape x=65536 --shape y=65536 --trace t.json",
                    "and the timeline of every pipe"},
                   {"opkit profile AddRelu --shape x=65536 --shape y=65536 --trace t.json "
                    "--blocks 0",
                    "one block of it: small enough for any number of blocks"},
                   {"opkit profile AddRelu --dtype float16", "the contract's first bench shape"},
                   {"opkit profile ./add --out profiles", "every launch of a program"},
                   {"opkit profile --compare \"AddRelu --shape x=4096 --shape y=4096\" "
                    "\"AddRelu --shape x=65536 --shape y=65536\"",
                    "two shapes"},
                   {"opkit profile --compare before/ after.json", "two kept profiles"}},
      .run = run_profile,
  };
}

}  // namespace opkit::cli
