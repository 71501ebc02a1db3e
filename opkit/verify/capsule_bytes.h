// Bytes as text, for files that are read by people and machines alike.
#ifndef OPKIT_VERIFY_CAPSULE_BYTES_H_
#define OPKIT_VERIFY_CAPSULE_BYTES_H_

#include <optional>
#include <string>
#include <string_view>

namespace opkit::verify {

// Base64 of RFC 4648, padded.
std::string base64_of(std::string_view bytes);
// Returns nothing for a text that is not such an encoding.
std::optional<std::string> bytes_of_base64(std::string_view text);

}  // namespace opkit::verify

#endif  // OPKIT_VERIFY_CAPSULE_BYTES_H_
