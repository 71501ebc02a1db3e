// The page of a tuning: pictures in SVG, without scripts and without anything from elsewhere.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "opkit/base/markup.h"
#include "opkit/tuning/tune.h"

namespace opkit::tuning {
namespace {

constexpr double kWidth = 640, kHeight = 320, kEdge = 40;

// Ends of an axis; never the same.
struct Axis {
  double least = INFINITY, most = 0;
  void take(double value) { least = std::min(least, value), most = std::max(most, value); }
  double at(double value, double from, double to) const {
    const double span = most > least ? (value - least) / (most - least) : 0.5;
    return from + span * (to - from);
  }
};

// Rows that no other one beats in both time and bytes.
std::set<const TuningRow*> front_of(const std::vector<const TuningRow*>& rows) {
  std::set<const TuningRow*> front;
  for (const TuningRow* row : rows) {
    const bool beaten = std::any_of(rows.begin(), rows.end(), [&](const TuningRow* other) {
      return other->ns <= row->ns && other->gm_bytes <= row->gm_bytes &&
             (other->ns < row->ns || other->gm_bytes < row->gm_bytes);
    });
    if (!beaten) front.insert(row);
  }
  return front;
}

std::vector<const TuningRow*> measured_rows(const Tuned& tuned) {
  std::vector<const TuningRow*> rows;
  for (const TuningRow& row : tuned.found.rows)
    if (row.is_measured()) rows.push_back(&row);
  return rows;
}

std::string plot(const Tuned& tuned) {
  const std::vector<const TuningRow*> rows = measured_rows(tuned);
  const std::set<const TuningRow*> front = front_of(rows);
  Axis x, y;
  for (const TuningRow* row : rows) {
    x.take(static_cast<double>(row->gm_bytes));
    y.take(static_cast<double>(row->ns));
  }
  std::string svg = fmt::format("<svg viewBox=\"0 0 {} {}\" class=\"plot\">\n", kWidth, kHeight);
  for (const TuningRow* row : rows) {
    const double cx = x.at(static_cast<double>(row->gm_bytes), kEdge, kWidth - kEdge);
    const double cy = y.at(static_cast<double>(row->ns), kHeight - kEdge, kEdge);
    const bool first = row == &tuned.default_row();
    svg += fmt::format(
        "<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{}\" class=\"{}\"><title>{}: {} ns, {} "
        "bytes, {}</title></circle>\n",
        cx, cy, first ? 6 : 4,
        row->verdict == RowVerdict::kWrong ? "wrong"
        : first                            ? "default"
        : front.count(row) > 0             ? "front"
                                           : "other",
        markup_text(told(*row)), row->ns, row->gm_bytes, name_of(row->verdict));
  }
  return svg + fmt::format(
                   "<text x=\"{}\" y=\"{}\">bytes through global memory, {:.0f} to {:.0f}</text>\n"
                   "<text x=\"4\" y=\"16\">ns, {:.0f} to {:.0f}</text>\n</svg>\n",
                   kEdge, kHeight - 8, x.least, x.most, y.least, y.most);
}

int64_t value_of(const TuningRow& row, const std::string& knob) {
  const auto found = row.knobs.find(std::string(kKnobPrefix) + knob);
  return found == row.knobs.end() ? 0 : std::get<int64_t>(found->second);
}

// Returns the two knobs with the most values that were measured.
std::vector<std::string> widest_knobs(const std::vector<const TuningRow*>& rows) {
  std::map<std::string, std::set<int64_t>> values;
  for (const TuningRow* row : rows)
    for (const auto& [name, value] : row->knobs)
      values[name.substr(kKnobPrefix.size())].insert(std::get<int64_t>(value));
  std::vector<std::string> names;
  for (const auto& [name, unused] : values) names.push_back(name);
  std::stable_sort(names.begin(), names.end(), [&](const std::string& a, const std::string& b) {
    return values[a].size() > values[b].size();
  });
  if (names.size() > 2) names.resize(2);
  return names;
}

std::string heat_map(const Tuned& tuned) {
  const std::vector<const TuningRow*> rows = measured_rows(tuned);
  const std::vector<std::string> knobs = widest_knobs(rows);
  if (knobs.size() < 2) return "";
  std::map<std::pair<int64_t, int64_t>, uint64_t> least;
  std::set<int64_t> across, down;
  Axis heat;
  for (const TuningRow* row : rows) {
    const int64_t a = value_of(*row, knobs[0]), b = value_of(*row, knobs[1]);
    if (a == 0 || b == 0) continue;
    across.insert(a), down.insert(b);
    uint64_t& ns = least.try_emplace({a, b}, row->ns).first->second;
    ns = std::min(ns, row->ns);
    heat.take(static_cast<double>(row->ns));
  }
  std::string table = fmt::format("<table class=\"heat\"><tr><th>{} \\ {}</th>",
                                  markup_text(knobs[1]), markup_text(knobs[0]));
  for (const int64_t a : across) table += fmt::format("<th>{}</th>", a);
  for (const int64_t b : down) {
    table += fmt::format("</tr>\n<tr><th>{}</th>", b);
    for (const int64_t a : across) {
      const auto cell = least.find({a, b});
      if (cell == least.end())
        table += "<td></td>";
      else
        table += fmt::format("<td style=\"background:hsl({:.0f},70%,75%)\">{}</td>",
                             heat.at(static_cast<double>(cell->second), 120, 0), cell->second);
    }
  }
  return table + "</tr></table>\n";
}

}  // namespace

std::string report_section(const Tuned& tuned) {
  return fmt::format("<h2>{} on {}, {}</h2>\n<pre>{}</pre>\n{}{}", markup_text(tuned.subject.op),
                     markup_text(tuned.subject.soc), markup_text(tuned.name),
                     markup_text(tuned_text(tuned)), plot(tuned), heat_map(tuned));
}

std::string report_html(const std::string& sections) {
  std::string page =
      "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>opkit tune</title>\n"
      "<style>body{font-family:sans-serif;max-width:60em;margin:auto}"
      ".plot{border:1px solid #999;width:100%}.other{fill:#88a}.front{fill:#080}"
      ".default{fill:#d60}.wrong{fill:#c00}table.heat{border-collapse:collapse}"
      "td,th{padding:2px 6px;font-size:80%}</style></head><body>\n<h1>Tilings</h1>\n"
      "<p>Orange: the default. Green: nothing is better in time and bytes. Red: wrong on "
      "data.</p>\n";
  return page + sections + "</body></html>\n";
}

}  // namespace opkit::tuning
