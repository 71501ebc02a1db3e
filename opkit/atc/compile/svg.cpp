#include "opkit/atc/compile/svg.h"

#include <fmt/format.h>

#include <algorithm>

#include "opkit/base/markup.h"

namespace opkit::compile {
namespace {

constexpr double kLineHeight = 14, kLetter = 6.2, kPad = 8, kGapAcross = 24, kGapDown = 46;
constexpr size_t kLongest = 48;  // characters of a line

struct BoxPlace {
  size_t layer = 0;
  double x = 0, y = 0, width = 0, height = 0;

  double middle() const { return x + width / 2; }
};

// Returns the first characters and the last ones of what is long.
std::string cut(const std::string& text) {
  if (text.size() <= kLongest) return text;
  const auto begins = [&](size_t at) {  // UTF-8
    while (at > 0 && (static_cast<unsigned char>(text[at]) & 0xc0) == 0x80) --at;
    return at;
  };
  const size_t half = kLongest / 2 - 1;
  return text.substr(0, begins(half)) + "\u2026" + text.substr(begins(text.size() - half));
}

// Lists for each box the boxes to which lines go from it.
using Readers = std::vector<std::vector<size_t>>;

Readers readers_of(size_t boxes, const std::vector<SvgLine>& lines) {
  Readers readers(boxes);
  for (const SvgLine& line : lines) readers[line.from].push_back(line.to);
  return readers;
}

void set_layers(const Readers& readers, std::vector<BoxPlace>& places) {
  std::vector<size_t> waits(places.size()), open;
  for (const auto& list : readers) {
    for (const size_t to : list) ++waits[to];
  }
  for (size_t b = 0; b < places.size(); ++b) {
    if (waits[b] == 0) open.push_back(b);
  }
  for (size_t done = 0; done < open.size(); ++done) {
    const size_t from = open[done];
    for (const size_t to : readers[from]) {
      places[to].layer = std::max(places[to].layer, places[from].layer + 1);
      if (--waits[to] == 0) open.push_back(to);
    }
  }
}

std::vector<BoxPlace> sized(const std::vector<Box>& boxes) {
  std::vector<BoxPlace> places(boxes.size());
  for (size_t b = 0; b < boxes.size(); ++b) {
    size_t longest = 0;
    for (const std::string& line : boxes[b].lines) longest = std::max(longest, cut(line).size());
    places[b].width = static_cast<double>(longest) * kLetter + 2 * kPad;
    places[b].height = static_cast<double>(boxes[b].lines.size()) * kLineHeight + 2 * kPad;
  }
  return places;
}

// Places boxes under the middle of what they read, beside the boxes of its layer that stand further
// left.
void place(const Readers& readers, std::vector<BoxPlace>& places) {
  size_t layers = 0;
  for (const BoxPlace& one : places) layers = std::max(layers, one.layer + 1);
  std::vector<std::vector<size_t>> rows(layers);
  for (size_t b = 0; b < places.size(); ++b) rows[places[b].layer].push_back(b);
  std::vector<double> sum(places.size()), count(places.size());
  double y = kPad + 2 * kLineHeight;
  for (std::vector<size_t>& row : rows) {
    const auto wanted = [&](size_t b) { return count[b] > 0 ? sum[b] / count[b] : 0; };
    std::stable_sort(row.begin(), row.end(),
                     [&](size_t a, size_t b) { return wanted(a) < wanted(b); });
    double x = kPad, tallest = 0;
    for (const size_t b : row) {
      BoxPlace& one = places[b];
      one.x = std::max(x, wanted(b) - one.width / 2);
      one.y = y;
      x = one.x + one.width + kGapAcross;
      tallest = std::max(tallest, one.height);
      for (const size_t to : readers[b]) {
        sum[to] += one.middle();
        ++count[to];
      }
    }
    y += tallest + kGapDown;
  }
}

std::string box_text(const Box& box, const BoxPlace& at) {
  std::string text = fmt::format(
      "<rect x=\"{:.0f}\" y=\"{:.0f}\" width=\"{:.0f}\" height=\"{:.0f}\" rx=\"{}\" fill=\"{}\" "
      "stroke=\"#555\"/>\n",
      at.x, at.y, at.width, at.height, box.round ? 14 : 3, box.fill);
  double y = at.y + kPad + kLineHeight - 3;
  for (size_t i = 0; i < box.lines.size(); ++i, y += kLineHeight)
    text += fmt::format("<text x=\"{:.0f}\" y=\"{:.0f}\" text-anchor=\"middle\"{}>{}</text>\n",
                        at.middle(), y, i == 0 ? " font-weight=\"bold\"" : "",
                        markup_text(cut(box.lines[i])));
  return text;
}

std::string line_text(const SvgLine& line, const BoxPlace& from, const BoxPlace& to) {
  const double top = from.y + from.height, half = (to.y - top) / 2;
  return fmt::format(
      "<path d=\"M{0:.0f},{1:.0f} C{0:.0f},{2:.0f} {3:.0f},{2:.0f} {3:.0f},{4:.0f}\" fill=\"none\" "
      "stroke=\"#888\" marker-end=\"url(#end)\"><title>{5}</title></path>\n",
      from.middle(), top, top + half, to.middle(), to.y, markup_text(line.text));
}

}  // namespace

std::string svg(const std::string& title, const std::vector<Box>& boxes,
                const std::vector<SvgLine>& lines) {
  std::vector<BoxPlace> places = sized(boxes);
  const Readers readers = readers_of(boxes.size(), lines);
  set_layers(readers, places);
  place(readers, places);
  double width = 0, height = 0;
  for (const BoxPlace& one : places) {
    width = std::max(width, one.x + one.width + kPad);
    height = std::max(height, one.y + one.height + kPad);
  }
  std::string text = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:.0f}\" height=\"{1:.0f}\" "
      "viewBox=\"0 0 {0:.0f} {1:.0f}\" font-family=\"sans-serif\" font-size=\"11\">\n"
      "<defs><marker id=\"end\" markerWidth=\"7\" markerHeight=\"7\" refX=\"7\" refY=\"3.5\" "
      "orient=\"auto\"><path d=\"M0,0 L7,3.5 L0,7 z\" fill=\"#888\"/></marker></defs>\n"
      "<text x=\"{2:.0f}\" y=\"{3:.0f}\" font-size=\"14\">{4}</text>\n",
      width, height, kPad, kPad + kLineHeight, markup_text(title));
  for (const SvgLine& line : lines) text += line_text(line, places[line.from], places[line.to]);
  for (size_t b = 0; b < boxes.size(); ++b) text += box_text(boxes[b], places[b]);
  return text + "</svg>\n";
}

}  // namespace opkit::compile
