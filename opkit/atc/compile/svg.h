// Boxes that are joined by lines, as SVG: laid out in layers, without a program of somebody else.
#ifndef OPKIT_ATC_COMPILE_SVG_H_
#define OPKIT_ATC_COMPILE_SVG_H_

#include <string>
#include <vector>

namespace opkit::compile {

struct Box {
  std::vector<std::string> lines;  // the first one is the title
  std::string fill = "#ffffff";
  bool round = false;  // an end of the model
};

// A value that goes from one box to another.
struct SvgLine {
  size_t from = 0, to = 0;
  std::string text;
};

// Every box stands below those from which lines come to it. REQUIRES: lines make no circle.
std::string svg(const std::string& title, const std::vector<Box>& boxes,
                const std::vector<SvgLine>& lines);

}  // namespace opkit::compile

#endif  // OPKIT_ATC_COMPILE_SVG_H_
