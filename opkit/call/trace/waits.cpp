#include "opkit/call/trace/waits.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <numeric>
#include <tuple>

namespace opkit::trace {
namespace {

using core::Span;

std::string place_of(const void* pc, const Places& names) {
  return pc != nullptr && names ? names(pc) : std::string();
}

bool is_of_a_name(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == ']' || c == '[';
}

// "rate_" of a line with "rate_.AllocTensor<float>()"; empty when the source cannot be read.
std::string queue_in(const std::string& place, const std::string& call) {
  const size_t colon = place.rfind(':');
  if (colon == std::string::npos) return {};
  std::ifstream in(place.substr(0, colon));
  std::string line;
  for (long n = std::atol(place.c_str() + colon + 1); n > 0 && std::getline(in, line); --n) {
  }
  const size_t dot = line.find("." + call);
  if (dot == std::string::npos) return {};
  size_t begin = dot;
  while (begin > 0 && is_of_a_name(line[begin - 1])) --begin;
  return line.substr(begin, dot - begin);
}

std::string at(const std::string& what, const std::string& place) {
  return place.empty() ? what : what + ", " + place;
}

template <typename T>
void most_first(std::vector<T>& list, uint64_t (*cost)(const T&)) {
  std::stable_sort(list.begin(), list.end(),
                   [cost](const T& a, const T& b) { return cost(a) > cost(b); });
}

}  // namespace

std::string WaitSum::to_string() const {
  const std::string whom =
      waits_for == Span::kOtherCores ? "other cores" : core::timed_pipe_name(waits_for);
  std::string text = fmt::format("{} waits for {} in {}", core::timed_pipe_name(pipe), whom,
                                 at((queue.empty() ? "" : queue + ".") + what, place));
  return giver.empty() ? text : text + ", for " + at(giver, giver_place);
}

std::vector<WaitSum> waits_of(const core::TimedResult& result, const Places& names) {
  using Key = std::tuple<uint8_t, uint8_t, const void*, const void*, std::string>;
  std::map<Key, WaitSum> sums;
  for (const Span& span : result.spans) {
    if (!span.is_wait()) continue;
    WaitSum& sum = sums[{span.pipe, span.waits_for, span.pc, span.giver_pc, span.name}];
    if (sum.count++ == 0) {
      sum.pipe = span.pipe;
      sum.waits_for = span.waits_for;
      sum.what = span.name;
      sum.giver = span.giver;
      sum.place = place_of(span.pc, names);
      sum.giver_place = place_of(span.giver_pc, names);
      sum.queue = queue_in(sum.place, sum.what);
    }
    sum.cycles += span.end - span.start;
  }
  std::vector<WaitSum> list;
  for (auto& [key, wait] : sums) list.push_back(std::move(wait));
  most_first<WaitSum>(list, [](const WaitSum& wait) { return wait.cycles; });
  return list;
}

uint64_t Line::busy() const { return std::accumulate(cycles.begin(), cycles.end(), uint64_t{0}); }

std::vector<Line> lines_of(const core::TimedResult& result, const Places& names) {
  std::map<const void*, Line> by_pc;  // names are asked for once
  for (const Span& span : result.spans) {
    Line& line = by_pc[span.pc];
    const uint64_t cycles = span.end - span.start;
    if (span.is_wait()) {
      line.waiting += cycles;
      continue;
    }
    line.cycles[span.pipe] += cycles;
    line.bytes += span.bytes;
    ++line.count;
  }
  std::map<std::string, Line> by_place;
  for (const auto& [pc, part] : by_pc) {
    Line& line = by_place[place_of(pc, names)];
    for (size_t p = 0; p < line.cycles.size(); ++p) line.cycles[p] += part.cycles[p];
    line.count += part.count;
    line.bytes += part.bytes;
    line.waiting += part.waiting;
  }
  std::vector<Line> list;
  for (auto& [place, line] : by_place) {
    line.place = place;
    list.push_back(std::move(line));
  }
  most_first<Line>(list, [](const Line& line) { return line.busy() + line.waiting; });
  return list;
}

}  // namespace opkit::trace
