// Tunings as banks, JSON, text and comma-separated values.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <tuple>

#include "opkit/base/json.h"
#include "opkit/tuning/tune.h"

namespace opkit::tuning {
namespace {

double micros(uint64_t ns) { return static_cast<double>(ns) / 1e3; }

Json knobs_json(const AttrValues& knobs) {
  Json json = Json::object();
  for (const auto& [name, value] : knobs)
    json[name.substr(kKnobPrefix.size())] = std::get<int64_t>(value);
  return json;
}

Json entry_json(const BankEntry& entry) {
  return {{"soc", entry.soc},
          {"inputs", entry.call.inputs},
          {"attrs", entry.call.attrs},
          {"knobs", knobs_json(entry.knobs)},
          {"ns", entry.ns},
          {"default_ns", entry.default_ns},
          {"bound_ns", entry.bound_ns}};
}

Json trial_json(const Trial& trial) {
  return {{"knob", trial.knob},           {"before", trial.before},     {"after", trial.after},
          {"before_ns", trial.before_ns}, {"after_ns", trial.after_ns}, {"kept", trial.kept}};
}

std::string row_text(const TuningRow& row) {
  return fmt::format("  {:>10.3f}  {:>10}  {:>6}  {:<9} {}{}\n", micros(row.ns), row.gm_bytes,
                     row.block_dim, name_of(row.verdict), told(row),
                     row.code.empty() ? "" : fmt::format("  {} {}", row.code, row.reason));
}

std::string quoted(const std::string& text) {
  std::string cell = "\"";
  for (const char c : text) cell += c == '"' ? std::string("\"\"") : std::string(1, c);
  return cell + "\"";
}

}  // namespace

void add_entry(const std::string& plugin, BankEntry entry, Bank& bank) {
  if (bank.plugin != plugin) bank.entries.clear();
  bank.plugin = plugin;
  std::erase_if(bank.entries, [&](const BankEntry& one) {
    return one.soc == entry.soc && one.call == entry.call;
  });
  bank.entries.push_back(std::move(entry));
}

Json bank_json(Bank bank) {
  std::sort(bank.entries.begin(), bank.entries.end(), [](const BankEntry& a, const BankEntry& b) {
    return std::tie(a.soc, a.call.inputs, a.call.attrs) <
           std::tie(b.soc, b.call.inputs, b.call.attrs);
  });
  Json entries = Json::array();
  for (const BankEntry& entry : bank.entries) entries.push_back(entry_json(entry));
  return {{"bank", 1},
          {"op", bank.op},
          {"version", bank.version},
          {"plugin", bank.plugin},
          {"entries", std::move(entries)}};
}

std::string bank_text(Bank bank) { return bank_json(std::move(bank)).dump(1) + "\n"; }

Json row_json(const TuningRow& row) {
  return {{"knobs", knobs_json(row.knobs)},
          {"verdict", name_of(row.verdict)},
          {"code", row.code},
          {"reason", row.reason},
          {"tiling", row.tiling},
          {"bound_ns", row.bound_ns},
          {"ns", row.ns},
          {"cycles", row.cycles},
          {"instructions", row.instructions},
          {"gm_bytes", row.gm_bytes},
          {"workspace_bytes", row.workspace_bytes},
          {"block_dim", row.block_dim},
          {"exact", row.exact},
          {"score", row.score}};
}

Json tuned_json(const Tuned& tuned, bool rows) {
  const SearchedSpace& found = tuned.found;
  Json trials = Json::array(), all = Json::array();
  for (const Trial& trial : tuned.trials) trials.push_back(trial_json(trial));
  Json json{{"op", tuned.subject.op},     {"call", tuned.name},
            {"soc", tuned.subject.soc},   {"inputs", tuned.subject.inputs},
            {"space", found.space},       {"planned", found.planned},
            {"measured", found.measured}, {"from_store", tuned.from_store},
            {"bound_ns", found.bound_ns}, {"proved", found.proved},
            {"proof", found.proof},       {"default", row_json(tuned.default_row())},
            {"trials", std::move(trials)}};
  json["winner"] = tuned.winner ? row_json(found.rows[*tuned.winner]) : Json();
  if (!rows) return json;
  for (const TuningRow& row : found.rows) all.push_back(row_json(row));
  json["rows"] = std::move(all);
  return json;
}

std::string tuned_text(const Tuned& tuned) {
  const SearchedSpace& found = tuned.found;
  const TuningRow& first = tuned.default_row();
  std::string text = fmt::format("{} on {}, {}\n", tuned.subject.op, tuned.subject.soc, tuned.name);
  text +=
      fmt::format("  {:>10}  {:>10}  {:>6}  {:<9} knobs\n", "us", "GM bytes", "blocks", "verdict");
  text += row_text(first);
  size_t shown = 0;
  for (const TuningRow& row : found.rows)  // those that ran on data, whatever came of it
    if (&row != &first &&
        (row.verdict == RowVerdict::kRight || row.verdict == RowVerdict::kWrong) && shown++ < 8)
      text += row_text(row);
  text += fmt::format("{} combinations; {}\n", found.space, found.proof);
  if (!tuned.winner) return text + "nothing that was tried is right: no bank is written\n";
  const TuningRow& winner = found.rows[*tuned.winner];
  for (const Trial& trial : tuned.trials)
    text += fmt::format("  {}: {} -> {}, {:.3f} us -> {:.3f} us, {}\n", trial.knob, trial.before,
                        trial.after, micros(trial.before_ns), micros(trial.after_ns),
                        trial.kept ? "kept" : "back");
  return text + fmt::format("best: {}, {:.3f} us in place of {:.3f} us, {:.2f} x as fast\n",
                            told(winner), micros(winner.ns), micros(first.ns),
                            winner.ns > 0 ? micros(first.ns) / micros(winner.ns) : 0);
}

std::string rows_csv(const std::vector<StoredRow>& rows) {
  std::string text =
      "op,version,soc,inputs,attrs,knobs,verdict,code,ns,cycles,instructions,gm_bytes,"
      "workspace_bytes,block_dim,exact,score\n";
  for (const StoredRow& one : rows) {
    const TuningRow& row = one.row;
    text +=
        fmt::format("{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{}\n", one.subject.op,
                    one.subject.version, one.subject.soc, quoted(one.subject.inputs),
                    quoted(one.subject.attrs), quoted(knobs_text(row.knobs)), name_of(row.verdict),
                    row.code, row.ns, row.cycles, row.instructions, row.gm_bytes,
                    row.workspace_bytes, row.block_dim, row.exact ? 1 : 0, row.score);
  }
  return text;
}

}  // namespace opkit::tuning
