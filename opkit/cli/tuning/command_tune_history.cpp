// opkit tune history: what was measured, and which change of a knob stayed.
#include <fmt/format.h>

#include "opkit/cli/commands/all_commands.h"
#include "opkit/cli/terminal/console.h"
#include "opkit/cli/terminal/exit_code.h"
#include "opkit/cli/terminal/table.h"
#include "opkit/cli/tuning/tune_files.h"

namespace opkit::cli {
namespace {

std::string us_text(uint64_t ns) { return fmt::format("{:.3f}", static_cast<double>(ns) / 1e3); }

Json history_json(const std::vector<tuning::StoredRow>& rows,
                  const std::vector<tuning::Trial>& trials) {
  Json all = Json::array(), changes = Json::array();
  for (const tuning::StoredRow& one : rows) {
    Json row = tuning::row_json(one.row);
    row["op"] = one.subject.op;
    row["version"] = one.subject.version;
    row["soc"] = one.subject.soc;
    row["inputs"] = one.subject.inputs;
    row["attrs"] = one.subject.attrs;
    row["plugin"] = one.subject.plugin;
    row["contract"] = one.subject.contract;
    row["moment"] = one.moment;
    all.push_back(std::move(row));
  }
  for (const tuning::Trial& one : trials)
    changes.push_back({{"op", one.subject.op},
                       {"version", one.subject.version},
                       {"plugin", one.subject.plugin},
                       {"soc", one.subject.soc},
                       {"inputs", one.subject.inputs},
                       {"attrs", one.subject.attrs},
                       {"knob", one.knob},
                       {"before", one.before},
                       {"after", one.after},
                       {"before_ns", one.before_ns},
                       {"after_ns", one.after_ns},
                       {"kept", one.kept}});
  return {{"candidates", std::move(all)}, {"changes", std::move(changes)}};
}

std::string history_text(const std::vector<tuning::StoredRow>& rows,
                         const std::vector<tuning::Trial>& trials, size_t most,
                         const Palette& palette) {
  Table table({"op", "chip", "call", "knobs", ">us", ">GM bytes", "verdict"});
  for (size_t i = 0; i < std::min(most, rows.size()); ++i) {
    const tuning::TuningRow& row = rows[i].row;
    table.add({rows[i].subject.op, rows[i].subject.soc, rows[i].subject.inputs, tuning::told(row),
               us_text(row.ns), std::to_string(row.gm_bytes), tuning::name_of(row.verdict)});
  }
  Table changes({"op", "chip", "changed", ">before us", ">after us", "what became of it"});
  for (const tuning::Trial& one : trials)
    changes.add({one.subject.op, one.subject.soc,
                 fmt::format("{}: {} -> {}", one.knob, one.before, one.after),
                 us_text(one.before_ns), us_text(one.after_ns), one.kept ? "kept" : "back"});
  if (table.empty()) return "nothing was measured yet: opkit tune OP\n";
  std::string text = table.to_string(palette);
  if (rows.size() > most)
    text += fmt::format("{} more with --top {}\n", rows.size() - most, rows.size());
  return changes.empty() ? text : text + changes.to_string(palette);
}

Outcome run_tune_history(const Arguments& arguments, Console& console) {
  OPKIT_TRY(const tuning::Store store, tuning::Store::open(store_file(arguments)));
  const std::string op = arguments.get("op");
  const std::vector<tuning::StoredRow> rows = store.rows(op);
  const std::vector<tuning::Trial> trials = store.trials(op);
  if (arguments.has("--csv")) {
    console.raw(tuning::rows_csv(rows));
    return kOk;
  }
  const auto most = static_cast<size_t>(arguments.integer("--top"));
  console.show(history_json(rows, trials), history_text(rows, trials, most, console.out()));
  return kOk;
}

}  // namespace

Command tune_history_command() {
  return {
      .name = "tune history",
      .summary = "what tunings measured, and which changes of a knob stayed",
      .details =
          "Every candidate of every call once, the best of a call first. --json and --csv\n"
          "give all of them, for scripts.",
      .positionals = {{.name = "op", .help = "an op's type; without it all", .required = false}},
      .flags = {{.name = "--store",
                 .value = "FILE",
                 .help = "where measurements are kept",
                 .complete = Complete::kFile},
                {.name = "--csv", .value = "", .help = "comma-separated values"},
                {.name = "--top",
                 .value = "N",
                 .help = "how many candidates are shown",
                 .integer = true,
                 .least = 1,
                 .most = 1000000,
                 .preset = "20"}},
      .examples = {{"opkit tune history AddRelu", "the best ones first"},
                   {"opkit tune history --csv > tunings.csv", "everything, for a spreadsheet"}},
      .run = run_tune_history,
  };
}

}  // namespace opkit::cli
