#include "opkit/base/digest.h"

#include <openssl/evp.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <memory>

#include "opkit/base/open_file.h"
#include "opkit/base/regular_file.h"

namespace opkit {
namespace {

class Sha256 {
 public:
  // Fails only without memory, or where the library has no SHA-256 at all.
  Sha256() : context_(EVP_MD_CTX_new(), &EVP_MD_CTX_free) {
    if (!context_ || EVP_DigestInit_ex(context_.get(), EVP_sha256(), nullptr) != 1) std::abort();
  }
  void add(const void* data, size_t bytes) { EVP_DigestUpdate(context_.get(), data, bytes); }
  std::string hex() {
    std::array<unsigned char, EVP_MAX_MD_SIZE> digest;
    unsigned bytes = 0;
    EVP_DigestFinal_ex(context_.get(), digest.data(), &bytes);
    constexpr char kDigits[] = "0123456789abcdef";
    std::string text;
    for (unsigned i = 0; i < bytes; ++i) {
      text += kDigits[digest[i] >> 4];
      text += kDigits[digest[i] & 15];
    }
    return text;
  }

 private:
  std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> context_;
};

}  // namespace

std::string sha256_hex(std::string_view bytes) { return sha256_hex({&bytes, 1}); }

std::string sha256_hex(std::span<const std::string_view> pieces) {
  Sha256 digest;
  for (const std::string_view piece : pieces) digest.add(piece.data(), piece.size());
  return digest.hex();
}

Result<std::string> sha256_file(const std::filesystem::path& path) {
  OPKIT_TRY(const int file, open_regular_file(path));
  Sha256 digest;
  std::array<char, 1 << 16> chunk;
  ssize_t got = 0;
  do {
    got = ::read(file, chunk.data(), chunk.size());
    if (got > 0) digest.add(chunk.data(), static_cast<size_t>(got));
  } while (got > 0 || (got < 0 && errno == EINTR));
  ::close(file);
  if (got < 0) return cannot_read(path);
  return digest.hex();
}

}  // namespace opkit
