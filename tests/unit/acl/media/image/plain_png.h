// PNGs without compression, by the file format's page: for tests, which libpng must not judge
// alone.
#ifndef OPKIT_TESTS_UNIT_ACL_MEDIA_IMAGE_PLAIN_PNG_H_
#define OPKIT_TESTS_UNIT_ACL_MEDIA_IMAGE_PLAIN_PNG_H_

#include <cstdint>
#include <functional>
#include <string>

namespace opkit::image {

struct PlainPng {
  uint32_t width, height;
  int components;  // 1 gray, 2 gray and alpha, 3 RGB, 4 with alpha
  std::function<uint8_t(uint32_t x, uint32_t y, int component)> value = {};
  int depth = 8, color = -1;  // are what the header says; -1: by the components

  std::string write() const {
    static constexpr int kColors[] = {0, 0, 4, 2, 6};
    std::string header;
    number(header, width), number(header, height);
    header += static_cast<char>(depth);
    header += static_cast<char>(color < 0 ? kColors[components] : color);
    header.append(3, '\0');
    return std::string("\x89PNG\r\n\x1a\n", 8) + chunk("IHDR", header) + chunk("IDAT", stored()) +
           chunk("IEND", "");
  }

  // Computes the checksum of a chunk's name and data.
  static uint32_t checksum(const std::string& bytes) {
    uint32_t sum = 0xFFFFFFFF;
    for (const char byte : bytes) {
      sum ^= static_cast<uint8_t>(byte);
      for (int i = 0; i < 8; ++i) sum = (sum >> 1) ^ (sum & 1 ? 0xEDB88320 : 0);
    }
    return ~sum;
  }

 private:
  static void number(std::string& to, uint32_t value) {
    for (int shift = 24; shift >= 0; shift -= 8) to += static_cast<char>(value >> shift);
  }
  static std::string chunk(const std::string& name, const std::string& data) {
    std::string bytes;
    number(bytes, static_cast<uint32_t>(data.size()));
    bytes += name + data;
    number(bytes, checksum(name + data));
    return bytes;
  }
  std::string rows() const {
    std::string bytes;
    for (uint32_t y = 0; y < height; ++y) {
      bytes += '\0';  // no filter
      for (uint32_t x = 0; x < width; ++x)
        for (int i = 0; i < components; ++i) bytes += static_cast<char>(value(x, y, i));
    }
    return bytes;
  }
  // As a stream of zlib of stored blocks.
  std::string stored() const {
    const std::string all = rows();
    std::string bytes("\x78\x01", 2);
    for (size_t at = 0; at < all.size(); at += 65535) {
      const std::string part = all.substr(at, 65535);
      const auto size = static_cast<uint16_t>(part.size());
      bytes += static_cast<char>(at + part.size() == all.size());
      for (const unsigned half : {unsigned{size}, ~unsigned{size}}) {
        bytes += static_cast<char>(half);
        bytes += static_cast<char>(half >> 8);
      }
      bytes += part;
    }
    uint32_t a = 1, b = 0;
    for (const char byte : all) {
      a = (a + static_cast<uint8_t>(byte)) % 65521;
      b = (b + a) % 65521;
    }
    number(bytes, b << 16 | a);
    return bytes;
  }
};

inline uint8_t plain_value(uint32_t x, uint32_t y, int component) {
  return static_cast<uint8_t>(x * 3 + y * 7 + static_cast<uint32_t>(component) * 50);
}

}  // namespace opkit::image

#endif  // OPKIT_TESTS_UNIT_ACL_MEDIA_IMAGE_PLAIN_PNG_H_
