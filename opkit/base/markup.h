// How reports in HTML, SVG and XML spell text that comes from elsewhere: names of models, lines of
// contracts, paths.
#ifndef OPKIT_BASE_MARKUP_H_
#define OPKIT_BASE_MARKUP_H_

#include <string>
#include <string_view>

namespace opkit {

// Returns the text so that a page shows it as it is, between elements and inside quoted attributes.
// Control characters other than tabs and line ends, which XML 1.0 cannot hold, become question
// marks.
std::string markup_text(std::string_view text);

}  // namespace opkit

#endif  // OPKIT_BASE_MARKUP_H_
