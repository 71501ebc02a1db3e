// Did-you-mean.
#ifndef OPKIT_BASE_SUGGEST_H_
#define OPKIT_BASE_SUGGEST_H_

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace opkit {

// Returns the candidate nearest to word by edit distance (case ignored), if near enough to be a
// typing slip.
std::optional<std::string> nearest(std::string_view word, std::span<const std::string> candidates);

// "did you mean 'abc'?" or, when nothing is near, "known names: a, b, c". Empty without candidates.
std::string suggest(std::string_view word, std::span<const std::string> candidates);
// Suggests among names that may be many: `otherwise` when nothing is near and they would fill a
// page.
std::string suggest(std::string_view word, std::span<const std::string> candidates,
                    std::string_view otherwise);

}  // namespace opkit

#endif  // OPKIT_BASE_SUGGEST_H_
