#include "opkit/cli/text/timed_causes.h"

#include <algorithm>

#include "opkit/cli/terminal/table.h"

namespace opkit::cli {
namespace {

constexpr size_t kMostRows = 10;

std::string name_of_giver(const trace::WaitSum& wait) {
  return wait.waits_for == core::Span::kOtherCores ? "other cores"
                                                   : core::timed_pipe_name(wait.waits_for);
}

std::string called(const trace::WaitSum& wait) {
  return wait.queue.empty() ? wait.what : wait.queue + "." + wait.what;
}

std::string place_or_dash(const std::string& place) { return place.empty() ? "-" : place; }

std::string waits_table(const std::vector<trace::WaitSum>& waits, const Palette& palette) {
  Table table({"waits", "for", ">cycles", ">times", "in", "at", "given by", "at"});
  for (size_t i = 0; i < std::min(waits.size(), kMostRows); ++i) {
    const trace::WaitSum& wait = waits[i];
    table.add({core::timed_pipe_name(wait.pipe), name_of_giver(wait), std::to_string(wait.cycles),
               std::to_string(wait.count), called(wait), place_or_dash(wait.place),
               place_or_dash(wait.giver), place_or_dash(wait.giver_place)});
  }
  return table.empty() ? "" : "\n" + table.to_string(palette);
}

// Returns the pipe that the line keeps busy longest.
std::string pipe_of(const trace::Line& line) {
  const auto most = std::max_element(line.cycles.begin(), line.cycles.end());
  return *most == 0 ? "-" : core::timed_pipe_name(static_cast<size_t>(most - line.cycles.begin()));
}

std::string lines_table(const std::vector<trace::Line>& lines, const Palette& palette) {
  Table table({"line", "pipe", ">instructions", ">cycles", ">waits", ">bytes"});
  for (size_t i = 0; i < std::min(lines.size(), kMostRows); ++i) {
    const trace::Line& line = lines[i];
    table.add({line.place.empty() ? "not known" : line.place, pipe_of(line),
               std::to_string(line.count), std::to_string(line.busy()),
               std::to_string(line.waiting), std::to_string(line.bytes)});
  }
  return table.empty() ? "" : "\n" + table.to_string(palette);
}

Json waits_json(const std::vector<trace::WaitSum>& waits) {
  Json list = Json::array();
  for (const trace::WaitSum& wait : waits)
    list.push_back({{"pipe", core::timed_pipe_name(wait.pipe)},
                    {"for", name_of_giver(wait)},
                    {"in", called(wait)},
                    {"at", wait.place},
                    {"given_by", wait.giver},
                    {"given_at", wait.giver_place},
                    {"cycles", wait.cycles},
                    {"count", wait.count}});
  return list;
}

Json lines_json(const std::vector<trace::Line>& lines) {
  Json list = Json::array();
  for (const trace::Line& line : lines) {
    Json pipes = Json::object();
    for (size_t p = 0; p < line.cycles.size(); ++p)
      if (line.cycles[p] > 0) pipes[core::timed_pipe_name(p)] = line.cycles[p];
    list.push_back({{"at", line.place},
                    {"cycles", std::move(pipes)},
                    {"instructions", line.count},
                    {"waiting", line.waiting},
                    {"bytes", line.bytes}});
  }
  return list;
}

}  // namespace

std::string diagnosis_text(const core::TimedResult& result, const trace::Places& names,
                           const Palette& palette) {
  std::string text;
  for (const std::string& line : trace::diagnosis(result, names))
    text += palette.paint(Style::kBold, "look at: ") + line + "\n";
  return text;
}

std::string causes_text(const core::TimedResult& result, const trace::Places& names,
                        const Palette& palette) {
  return waits_table(trace::waits_of(result, names), palette) +
         lines_table(trace::lines_of(result, names), palette);
}

Json causes_json(const core::TimedResult& result, const trace::Places& names) {
  Json json{{"diagnosis", Json::array()}};
  for (std::string& line : trace::diagnosis(result, names))
    json["diagnosis"].push_back(std::move(line));
  json["waits"] = waits_json(trace::waits_of(result, names));
  json["lines"] = lines_json(trace::lines_of(result, names));
  return json;
}

}  // namespace opkit::cli
