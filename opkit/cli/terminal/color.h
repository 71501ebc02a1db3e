// Colours for people who look at a terminal.
#ifndef OPKIT_CLI_TERMINAL_COLOR_H_
#define OPKIT_CLI_TERMINAL_COLOR_H_

#include <string>
#include <string_view>

namespace opkit::cli {

enum class Style { kPlain, kBold, kDim, kRed, kYellow, kGreen, kCyan };
enum class ColorMode { kAuto, kAlways, kNever };

// Tells whether a descriptor gets colours: auto means a terminal, no NO_COLOR, no TERM=dumb.
bool wants_color(int descriptor, ColorMode mode);

// Paints text, or leaves it alone when it is off.
class Palette {
 public:
  explicit Palette(bool on = false) : on_(on) {}
  bool on() const { return on_; }
  std::string paint(Style style, std::string_view text) const;

 private:
  bool on_;
};

// Columns that the text takes on a terminal: code points without escape sequences.
size_t visible_width(std::string_view text);

}  // namespace opkit::cli

#endif  // OPKIT_CLI_TERMINAL_COLOR_H_
