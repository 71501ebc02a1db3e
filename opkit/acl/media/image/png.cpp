// libpng reports errors by a jump over C frames: a step of it runs inside guarded_png(), and no
// frame between holds anything that must be destroyed.
#include "opkit/acl/media/image/png.h"

#include <fmt/format.h>
#include <png.h>

#include <algorithm>
#include <csetjmp>
#include <cstring>
#include <vector>

namespace opkit::image {
namespace {

struct PngTrouble {
  jmp_buf back;
  char text[128];
};

[[noreturn]] void jump_out_of_png(png_structp session, png_const_charp text) {
  auto& trouble = *static_cast<PngTrouble*>(png_get_error_ptr(session));
  std::strncpy(trouble.text, text, sizeof trouble.text - 1);
  longjmp(trouble.back, 1);
}

void ignore_warning(png_structp, png_const_charp) {}  // ignores decoration

// False: libpng gave up, and the trouble says why.
template <typename Step>
bool guarded_png(PngTrouble& trouble, const Step& step) {
  if (setjmp(trouble.back) != 0) return false;
  step();
  return true;
}

void give_bytes(png_structp session, png_bytep to, size_t count) {
  auto& rest = *static_cast<std::string_view*>(png_get_io_ptr(session));
  if (rest.size() < count) png_error(session, "it breaks off");
  std::memcpy(to, rest.data(), count);
  rest.remove_prefix(count);
}

struct PngReader {
  explicit PngReader(std::string_view bytes) : rest(bytes) {
    session =
        png_create_read_struct(PNG_LIBPNG_VER_STRING, &trouble, jump_out_of_png, ignore_warning);
    if (session) info = png_create_info_struct(session);
  }
  ~PngReader() { png_destroy_read_struct(&session, &info, nullptr); }
  PngReader(const PngReader&) = delete;
  PngReader& operator=(const PngReader&) = delete;

  bool read_info() {
    return info && guarded_png(trouble, [this] {
             png_set_read_fn(session, &rest, give_bytes);
             png_read_info(session, info);
           });
  }
  // Every row of R, G and B, with alpha or without.
  bool read_rows(bool alpha, std::vector<png_bytep>& rows) {
    return guarded_png(trouble, [&] {
      png_set_gray_to_rgb(session);
      if (!alpha) png_set_strip_alpha(session);
      png_set_interlace_handling(session);
      png_read_update_info(session, info);
      png_read_image(session, rows.data());
      png_read_end(session, nullptr);
    });
  }

  std::string_view rest;
  PngTrouble trouble = {};
  png_structp session = nullptr;
  png_infop info = nullptr;
};

Error broken_png(const PngTrouble& trouble, const char* code) {
  return Error(code, fmt::format("the PNG cannot be decoded: {}", trouble.text),
               "look whether all of the file was read, and its size handed on");
}

Result<PngHeader> png_header_of(PngReader& reader) {
  if (!reader.read_info()) return broken_png(reader.trouble, "OPK-IMAGE-005");
  const int depth = png_get_bit_depth(reader.session, reader.info);
  const int color = png_get_color_type(reader.session, reader.info);
  if (depth != 8 || (color & PNG_COLOR_MASK_PALETTE) != 0)
    return Error("OPK-IMAGE-006",
                 fmt::format("this kind of PNG is not decoded: it has {} bits and {}", depth,
                             (color & PNG_COLOR_MASK_PALETTE) != 0 ? "a palette" : "no palette"),
                 "write it with 8 bits, in gray or RGB, with alpha or without");
  return PngHeader{png_get_image_width(reader.session, reader.info),
                   png_get_image_height(reader.session, reader.info), static_cast<PngColor>(color)};
}

}  // namespace

Result<PngHeader> read_png_header(std::string_view bytes) {
  PngReader reader(bytes);
  return png_header_of(reader);
}

Status decode_png(std::string_view bytes, const Picture& picture) {
  PngReader reader(bytes);
  OPKIT_TRY(const PngHeader header, png_header_of(reader));
  const uint64_t row_bytes = uint64_t{header.width} * picture.layout->row_bytes;
  std::vector<uint8_t> pixels(row_bytes * header.height);
  std::vector<png_bytep> rows(header.height);
  for (uint32_t y = 0; y < header.height; ++y) rows[y] = pixels.data() + y * row_bytes;
  if (!reader.read_rows(picture.layout->alpha >= 0, rows))
    return broken_png(reader.trouble, "OPK-IMAGE-007");
  for (uint32_t y = 0; y < header.height; ++y)
    std::copy_n(rows[y], row_bytes, picture.data + uint64_t{y} * picture.width_stride);
  return {};
}

}  // namespace opkit::image
