#include "registry/ed25519.h"

#include <sodium.h>

#include <algorithm>
#include <array>
#include <cstdlib>

namespace opkit::registry {
namespace {

using Seed = std::array<unsigned char, crypto_sign_SEEDBYTES>;
using Open = std::array<unsigned char, crypto_sign_PUBLICKEYBYTES>;
using Whole = std::array<unsigned char, crypto_sign_SECRETKEYBYTES>;
using SignatureBytes = std::array<unsigned char, crypto_sign_BYTES>;

static_assert(2 * crypto_sign_PUBLICKEYBYTES == kKeyDigits &&
              2 * crypto_sign_SEEDBYTES == kKeyDigits && 2 * crypto_sign_BYTES == kSignatureDigits);

// The library ends the process itself when the host has no randomness.
void begin() {
  if (sodium_init() < 0) std::abort();
}

template <size_t N>
std::string hex(const std::array<unsigned char, N>& bytes) {
  std::string text(2 * N + 1, '\0');
  sodium_bin2hex(text.data(), text.size(), bytes.data(), N);
  text.resize(2 * N);
  return text;
}

template <size_t N>
bool unhex(std::string_view text, std::array<unsigned char, N>& bytes) {
  return is_hex(text, 2 * N) &&
         sodium_hex2bin(bytes.data(), N, text.data(), text.size(), nullptr, nullptr, nullptr) == 0;
}

// Holds both halves of the key of a seed.
struct Halves {
  Open open{};
  Whole whole{};

  explicit Halves(const std::string& secret) {
    begin();
    Seed seed{};
    if (!unhex(secret, seed)) std::abort();  // REQUIRES of the callers
    crypto_sign_seed_keypair(open.data(), whole.data(), seed.data());
    sodium_memzero(seed.data(), seed.size());
  }
  Halves(const Halves&) = delete;
  ~Halves() { sodium_memzero(whole.data(), whole.size()); }
};

}  // namespace

bool is_hex(std::string_view text, size_t digits) {
  return text.size() == digits && std::all_of(text.begin(), text.end(), [](char c) {
           return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
         });
}

KeyPair make_key_pair() {
  begin();
  Seed seed;
  randombytes_buf(seed.data(), seed.size());
  KeyPair pair;
  pair.secret = hex(seed);
  sodium_memzero(seed.data(), seed.size());
  pair.open = open_key_of(pair.secret);
  return pair;
}

std::string open_key_of(const std::string& secret) { return hex(Halves(secret).open); }

std::string sign(std::string_view text, const std::string& secret) {
  const Halves key(secret);
  SignatureBytes signature;
  crypto_sign_detached(signature.data(), nullptr,
                       reinterpret_cast<const unsigned char*>(text.data()), text.size(),
                       key.whole.data());
  return hex(signature);
}

bool is_signature(std::string_view text, const std::string& signature, const std::string& key) {
  begin();
  SignatureBytes bytes;
  Open open;
  return unhex(signature, bytes) && unhex(key, open) &&
         crypto_sign_verify_detached(bytes.data(),
                                     reinterpret_cast<const unsigned char*>(text.data()),
                                     text.size(), open.data()) == 0;
}

void wipe(std::string& secret) {
  sodium_memzero(secret.data(), secret.size());
  secret.clear();
}

}  // namespace opkit::registry
