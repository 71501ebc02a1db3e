// Text of others on its way to a terminal: what would move the cursor, change colours or titles, or
// turn the direction of writing is shown in place of done.
#ifndef OPKIT_CLI_TERMINAL_PLAIN_TEXT_H_
#define OPKIT_CLI_TERMINAL_PLAIN_TEXT_H_

#include <string>
#include <string_view>

#include "opkit/cli/terminal/color.h"

namespace opkit::cli {

// Line feeds and tabs stay; control characters and bytes that are no UTF-8 become "\x1b",
// characters that control the direction "\u202e".
std::string plain_text(std::string_view text);

// Keeps the sequences by which the palette paints, and shows others as text.
std::string plain_text(std::string_view text, const Palette& palette);

}  // namespace opkit::cli

#endif  // OPKIT_CLI_TERMINAL_PLAIN_TEXT_H_
