#include "opkit/acl/media/image/jpeg.h"

#include "opkit/acl/media/image/jpeg_session.h"
// jerror.h wants jpeglib.h in front of it.
#include <fmt/format.h>
#include <jerror.h>

#include <algorithm>
#include <string>
#include <utility>

#include "opkit/acl/media/image/exif.h"

namespace opkit::image {

using namespace jpeg_session;

namespace {

bool is_coding(int code) {
  return code == JERR_SOF_UNSUPPORTED || code == JERR_BAD_PRECISION || code == JERR_ARITH_NOTIMPL ||
         code == JERR_CONVERSION_NOTIMPL || code == JERR_BAD_J_COLORSPACE;
}

Error not_read_here(const std::string& why) {
  return Error("OPK-IMAGE-002", fmt::format("this kind of JPEG is not decoded: {}", why),
               "encode it with Huffman codes, sequentially, in YUV of 8 bits");
}

Error broken(const Trouble& trouble, const char* code) {
  if (is_coding(trouble.code)) return not_read_here(trouble.text);
  return Error(code, fmt::format("the JPEG cannot be decoded: {}", trouble.text),
               "look whether all of the file was read, and its size handed on");
}

struct Reader {
  Reader() {
    prepare(trouble);
    info.err = &trouble.manager;
    begun = guarded(trouble, [this] { jpeg_create_decompress(&info); });
  }
  ~Reader() {
    if (begun) jpeg_destroy_decompress(&info);
  }
  Reader(const Reader&) = delete;
  Reader& operator=(const Reader&) = delete;

  bool read_header(std::string_view bytes) {
    return begun && guarded(trouble, [&] {
             jpeg_mem_src(&info, reinterpret_cast<const unsigned char*>(bytes.data()),
                          bytes.size());
             jpeg_save_markers(&info, JPEG_APP0 + 1, 0xffff);
             jpeg_read_header(&info, TRUE);
           });
  }

  jpeg_decompress_struct info = {};
  Trouble trouble = {};
  bool begun = false;
};

int orientation_of(const jpeg_decompress_struct& info) {
  for (const jpeg_marker_struct* marker = info.marker_list; marker; marker = marker->next) {
    const int found = exif_orientation(
        {reinterpret_cast<const char*>(marker->data), size_t{marker->data_length}});
    if (found != 1) return found;
  }
  return 1;
}

// Returns how many samples of Y stand beside and above one of U and V; 0: no such number.
std::pair<int, int> ratio_of(const jpeg_decompress_struct& info) {
  const jpeg_component_info *y = info.comp_info, *u = y + 1, *v = y + 2;
  if (u->h_samp_factor != v->h_samp_factor || u->v_samp_factor != v->v_samp_factor ||
      y->h_samp_factor % u->h_samp_factor != 0 || y->v_samp_factor % u->v_samp_factor != 0)
    return {0, 0};
  return {y->h_samp_factor / u->h_samp_factor, y->v_samp_factor / u->v_samp_factor};
}

JpegSampling sampling_of(const jpeg_decompress_struct& info) {
  if (info.num_components == 1) return JpegSampling::kGray;
  const std::pair<int, int> ratio = ratio_of(info);
  if (ratio == std::pair(1, 1)) return JpegSampling::k444;
  if (ratio == std::pair(2, 1)) return JpegSampling::k422;
  if (ratio == std::pair(2, 2)) return JpegSampling::k420;
  if (ratio == std::pair(1, 2)) return JpegSampling::k440;
  if (ratio == std::pair(4, 1)) return JpegSampling::k411;
  return JpegSampling::kUnknown;
}

Status check_coding(const jpeg_decompress_struct& info) {
  if (info.progressive_mode) return not_read_here("it is progressive");
  if (info.arith_code) return not_read_here("it has arithmetic codes");
  if (info.data_precision != 8)
    return not_read_here(fmt::format("its samples have {} bits", info.data_precision));
  const bool gray = info.num_components == 1 && info.jpeg_color_space == JCS_GRAYSCALE;
  const bool yuv = info.num_components == 3 && info.jpeg_color_space == JCS_YCbCr;
  if (!gray && !yuv)
    return not_read_here(
        fmt::format("its {} components are not Y, or Y, U and V", info.num_components));
  return {};
}

Result<JpegHeader> header_of(Reader& reader, std::string_view bytes) {
  if (!reader.read_header(bytes)) return broken(reader.trouble, "OPK-IMAGE-001");
  const jpeg_decompress_struct& info = reader.info;
  OPKIT_CHECK(check_coding(info));
  return JpegHeader{info.image_width, info.image_height, info.num_components, sampling_of(info),
                    orientation_of(info)};
}

Plane cut(Padded& padded, uint32_t width, uint32_t height) {
  Plane plane(width, height);
  for (uint32_t y = 0; y < height; ++y) std::copy_n(padded.row(y), width, plane.row(y));
  return plane;
}

bool read_samples(Reader& reader, std::vector<Padded>& all) {
  RowPointers pointers = {};
  jpeg_decompress_struct& info = reader.info;
  const auto at_once = static_cast<JDIMENSION>(info.max_v_samp_factor * DCTSIZE);
  const bool started = guarded(reader.trouble, [&] {
    info.raw_data_out = TRUE;
    info.do_fancy_upsampling = FALSE;
    jpeg_start_decompress(&info);
  });
  if (!started) return false;
  return guarded(reader.trouble, [&] {
    while (info.output_scanline < info.output_height) {
      point_at(pointers, all, info.output_scanline / at_once);
      jpeg_read_raw_data(&info, pointers.components, at_once);
    }
  });
}

std::vector<Padded> room_for(const jpeg_decompress_struct& info) {
  const auto across = static_cast<uint32_t>(info.max_h_samp_factor * DCTSIZE);
  const auto down = static_cast<uint32_t>(info.max_v_samp_factor * DCTSIZE);
  std::vector<Padded> all;
  for (int i = 0; i < info.num_components; ++i)
    all.push_back(padded_for(samples_of(info.image_width, across),
                             samples_of(info.image_height, down), info.comp_info[i].h_samp_factor,
                             info.comp_info[i].v_samp_factor));
  return all;
}

Planes planes_of(const JpegHeader& header, const std::pair<int, int>& ratio,
                 std::vector<Padded>& all) {
  Planes planes{all.size() == 1 ? ColorFamily::kGray : ColorFamily::kYuv};
  planes.subsample_x = static_cast<uint32_t>(ratio.first);
  planes.subsample_y = static_cast<uint32_t>(ratio.second);
  planes.planes[0] = cut(all[0], header.width, header.height);
  for (size_t i = 1; i < all.size(); ++i)
    planes.planes[i] = cut(all[i], samples_of(header.width, planes.subsample_x),
                           samples_of(header.height, planes.subsample_y));
  return planes;
}

}  // namespace

Result<JpegHeader> read_jpeg_header(std::string_view bytes) {
  Reader reader;
  return header_of(reader, bytes);
}

Result<Planes> decode_jpeg(std::string_view bytes) {
  Reader reader;
  OPKIT_TRY(const JpegHeader header, header_of(reader, bytes));
  if (header.sampling == JpegSampling::kUnknown || header.sampling == JpegSampling::k411)
    return not_read_here("U and V are sampled neither as 444, 422, 440 nor 420");
  std::vector<Padded> all = room_for(reader.info);
  const std::pair<int, int> ratio = all.size() == 1 ? std::pair(1, 1) : ratio_of(reader.info);
  if (!read_samples(reader, all)) return broken(reader.trouble, "OPK-IMAGE-003");
  return planes_of(header, ratio, all);
}

}  // namespace opkit::image
