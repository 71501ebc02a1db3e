// JPEG files written by hand: every block of 8 x 8 samples has one value, so that what a decoder
// must give is known without any transform.
#ifndef OPKIT_TESTS_UNIT_ACL_MEDIA_IMAGE_BLOCK_JPEG_H_
#define OPKIT_TESTS_UNIT_ACL_MEDIA_IMAGE_BLOCK_JPEG_H_

#include <cstdint>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

namespace opkit::image {

struct BlockJpeg {
  uint32_t width = 0, height = 0;
  int across = 1, down = 1;  // samples of Y beside and above one of U and V
  int components = 3;
  int orientation = 0;  // is the orientation in Exif; 0: no such part
  uint8_t kind = 0xc0;  // ends the frame's marker: 0xc0 sequential, 0xc2 progressive
  // The value of a block of a component.
  std::function<int(int component, uint32_t x, uint32_t y)> value = {};

  std::string write() const {
    std::string text("\xff\xd8", 2);
    if (orientation != 0) text += exif();
    text += part(0xdb, std::string(1, '\0') + std::string(64, '\x08'));  // steps of 8
    text += part(kind, frame());
    text += part(0xc4, dc_table()) + part(0xc4, ac_table());
    return text + part(0xda, scan()) + data() + std::string("\xff\xd9", 2);
  }

 private:
  struct Bits {
    void put(uint32_t code, int count) {
      while (count-- > 0) {
        byte = byte << 1 | (code >> count & 1);
        if (++used == 8) flush();
      }
    }
    void flush() {
      text.push_back(static_cast<char>(byte));
      if (byte == 0xff) text.push_back('\0');
      byte = 0, used = 0;
    }
    std::string end() {
      while (used != 0) put(1, 1);
      return text;
    }
    std::string text;
    uint32_t byte = 0;
    int used = 0;
  };

  static std::string word(uint32_t value) {
    return {static_cast<char>(value >> 8), static_cast<char>(value & 0xff)};
  }
  static std::string part(uint8_t marker, const std::string& body) {
    return std::string("\xff") + static_cast<char>(marker) +
           word(static_cast<uint32_t>(body.size() + 2)) + body;
  }
  std::string exif() const {
    const std::string entry = word(0x0112) + word(3) + word(0) + word(1) +
                              word(static_cast<uint32_t>(orientation)) + word(0);
    return part(0xe1, std::string("Exif\0\0MM\0\x2a", 10) + word(0) + word(8) + word(1) + entry);
  }
  std::string frame() const {
    std::string text = std::string(1, '\x08') + word(height) + word(width);
    text.push_back(static_cast<char>(components));
    for (int i = 0; i < components; ++i) {
      text.push_back(static_cast<char>(i + 1));
      text.push_back(static_cast<char>(i == 0 ? across << 4 | down : 0x11));
      text.push_back('\0');
    }
    return text;
  }
  std::string scan() const {
    std::string text(1, static_cast<char>(components));
    for (int i = 0; i < components; ++i) text += {static_cast<char>(i + 1), '\0'};
    return text + std::string("\0\x3f\0", 3);
  }
  // Categories 0 to 11 in codes of 2, 3 (five of them), 4 .. 9 bits.
  static std::string dc_table() {
    std::string text("\x00\x00\x01\x05\x01\x01\x01\x01\x01\x01", 10);
    text += std::string(7, '\0');
    for (char category = 0; category < 12; ++category) text.push_back(category);
    return text;
  }
  // One code of one bit: the block has no more.
  static std::string ac_table() {
    return std::string("\x10\x01", 2) + std::string(15, '\0') + std::string(1, '\0');
  }
  static void put_difference(Bits& bits, int difference) {
    int category = 0;
    while (std::abs(difference) >> category) ++category;
    static const uint32_t codes[] = {0, 2, 3, 4, 5, 6, 14, 30, 62, 126, 254, 510};
    bits.put(codes[category], category == 0 ? 2 : category < 6 ? 3 : category - 2);
    bits.put(static_cast<uint32_t>(difference < 0 ? difference + (1 << category) - 1 : difference),
             category);
    bits.put(0, 1);
  }
  std::string data() const {
    Bits bits;
    std::vector<int> last(3, 0);
    const uint32_t unit_x = 8u * static_cast<uint32_t>(across),
                   unit_y = 8u * static_cast<uint32_t>(down);
    for (uint32_t y = 0; y < (height + unit_y - 1) / unit_y; ++y)
      for (uint32_t x = 0; x < (width + unit_x - 1) / unit_x; ++x)
        for (int i = 0; i < components; ++i) {
          const uint32_t h = static_cast<uint32_t>(i == 0 ? across : 1),
                         v = static_cast<uint32_t>(i == 0 ? down : 1);
          for (uint32_t block = 0; block < h * v; ++block) {
            const int now = value(i, x * h + block % h, y * v + block / h) - 128;
            put_difference(bits, now - last[static_cast<size_t>(i)]);
            last[static_cast<size_t>(i)] = now;
          }
        }
    return bits.end();
  }
};

// Values that tell places and components apart.
inline int block_value(int component, uint32_t x, uint32_t y) {
  return static_cast<int>(40 + (x * 23 + y * 51 + static_cast<uint32_t>(component) * 77) % 180);
}

}  // namespace opkit::image

#endif  // OPKIT_TESTS_UNIT_ACL_MEDIA_IMAGE_BLOCK_JPEG_H_
