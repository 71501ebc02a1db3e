// Ed25519 signatures. Keys and signatures are lower-case hexadecimal text: 64 digits for either
// key, 128 for a signature.
#ifndef OPKIT_REGISTRY_ED25519_H_
#define OPKIT_REGISTRY_ED25519_H_

#include <string>
#include <string_view>

namespace opkit::registry {

inline constexpr size_t kKeyDigits = 64, kSignatureDigits = 128;

struct KeyPair {
  std::string open;    // anybody may know it
  std::string secret;  // the seed of the key
};

KeyPair make_key_pair();
// REQUIRES: secret is a key's seed (is_hex).
std::string open_key_of(const std::string& secret);
std::string sign(std::string_view text, const std::string& secret);
// False for anything that is not the key's signature of the text, malformed ones too.
bool is_signature(std::string_view text, const std::string& signature, const std::string& key);

bool is_hex(std::string_view text, size_t digits);
// Overwrites a secret before its memory is free.
void wipe(std::string& secret);

}  // namespace opkit::registry

#endif  // OPKIT_REGISTRY_ED25519_H_
