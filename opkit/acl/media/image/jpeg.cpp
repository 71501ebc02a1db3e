// libjpeg reports errors by a jump over C frames: a step of it runs inside guarded(), and no frame
// between holds anything that must be destroyed.
#include "opkit/acl/media/image/jpeg.h"

#include <csetjmp>
#include <cstddef>
#include <cstdio>
// libjpeg's headers want these in front of them.
#include <jpeglib.h>
// And jerror.h wants jpeglib.h.
#include <fmt/format.h>
#include <jerror.h>

#include <algorithm>
#include <string>
#include <utility>

#include "opkit/acl/media/image/exif.h"

namespace opkit::image {
namespace {

constexpr int kMostRows = 4 * DCTSIZE;

struct Trouble {
  jpeg_error_mgr manager;  // first: libjpeg hands back its address
  jmp_buf back;
  int code;
  char text[JMSG_LENGTH_MAX];
};

Trouble& trouble_of(j_common_ptr session) { return *reinterpret_cast<Trouble*>(session->err); }

[[noreturn]] void jump_out(j_common_ptr session) {
  Trouble& trouble = trouble_of(session);
  trouble.code = trouble.manager.msg_code;
  trouble.manager.format_message(session, trouble.text);
  longjmp(trouble.back, 1);
}

// Warnings after which the samples are guesses. Others are about decoration.
bool guesses(int code) {
  return code == JWRN_HIT_MARKER || code == JWRN_HUFF_BAD_CODE || code == JWRN_MUST_RESYNC ||
         code == JWRN_NOT_SEQUENTIAL || code == JWRN_BOGUS_PROGRESSION ||
         code == JWRN_ARITH_BAD_CODE;
}

void on_message(j_common_ptr session, int level) {
  if (level < 0 && guesses(session->err->msg_code)) jump_out(session);
}

void prepare(Trouble& trouble) {
  jpeg_std_error(&trouble.manager);
  trouble.manager.error_exit = jump_out;
  trouble.manager.emit_message = on_message;
  trouble.code = 0;
  trouble.text[0] = '\0';
}

// False: libjpeg gave up, and the trouble says why.
template <typename Step>
bool guarded(Trouble& trouble, const Step& step) {
  if (setjmp(trouble.back) != 0) return false;
  step();
  return true;
}

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

// How many samples of Y stand beside and above one of U and V; 0: no such number.
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

// Rows of samples as libjpeg reads and writes them: so many for each component at a time.
struct RowPointers {
  JSAMPROW rows[3][kMostRows];
  JSAMPARRAY components[3];
};

// A component's samples, padded to whole blocks of the scan.
struct Padded {
  uint32_t width = 0, rows_at_once = 0;
  std::vector<uint8_t> samples = {};
  uint8_t* row(uint64_t y) { return samples.data() + y * width; }
};

Padded padded_for(uint32_t units_across, uint32_t units_down, int across, int down) {
  Padded padded{units_across * static_cast<uint32_t>(across) * DCTSIZE,
                static_cast<uint32_t>(down) * DCTSIZE};
  padded.samples.resize(uint64_t{padded.width} * units_down * padded.rows_at_once);
  return padded;
}

void point_at(RowPointers& pointers, std::vector<Padded>& all, uint32_t unit) {
  for (size_t i = 0; i < all.size(); ++i) {
    pointers.components[i] = pointers.rows[i];
    for (uint32_t row = 0; row < all[i].rows_at_once; ++row)
      pointers.rows[i][row] = all[i].row(uint64_t{unit} * all[i].rows_at_once + row);
  }
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

// What encode_jpeg() writes to. libjpeg wants more room as soon as it is full, though nothing may
// be left to write: that goes to `spill`, which must stay empty.
struct Target {
  uint64_t written() const { return room - (spilled ? 0 : manager.free_in_buffer); }
  bool overflown() const { return spilled && manager.free_in_buffer != sizeof spill; }

  jpeg_destination_mgr manager;  // first: libjpeg hands back its address
  uint8_t* to;
  uint64_t room;
  bool spilled;
  uint8_t spill[64];
};

void begin_target(j_compress_ptr session) {
  Target& target = *reinterpret_cast<Target*>(session->dest);
  target.manager.next_output_byte = target.to;
  target.manager.free_in_buffer = target.room;
}

boolean full_target(j_compress_ptr session) {
  Target& target = *reinterpret_cast<Target*>(session->dest);
  if (target.spilled) ERREXIT(session, JERR_BUFFER_SIZE);
  target.spilled = true;
  target.manager.next_output_byte = target.spill;
  target.manager.free_in_buffer = sizeof target.spill;
  return TRUE;
}

void end_target(j_compress_ptr) {}

struct Writer {
  Writer() {
    prepare(trouble);
    info.err = &trouble.manager;
    begun = guarded(trouble, [this] { jpeg_create_compress(&info); });
  }
  ~Writer() {
    if (begun) jpeg_destroy_compress(&info);
  }
  Writer(const Writer&) = delete;
  Writer& operator=(const Writer&) = delete;

  jpeg_compress_struct info = {};
  Trouble trouble = {};
  Target target = {};
  bool begun = false;
};

void set_up(Writer& writer, const Planes& planes, int quality) {
  jpeg_compress_struct& info = writer.info;
  writer.target.manager.init_destination = begin_target;
  writer.target.manager.empty_output_buffer = full_target;
  writer.target.manager.term_destination = end_target;
  info.dest = &writer.target.manager;
  info.image_width = planes.width();
  info.image_height = planes.height();
  info.input_components = planes.family == ColorFamily::kGray ? 1 : 3;
  info.in_color_space = planes.family == ColorFamily::kGray ? JCS_GRAYSCALE : JCS_YCbCr;
  jpeg_set_defaults(&info);
  jpeg_set_quality(&info, quality, TRUE);
  info.raw_data_in = TRUE;
  info.comp_info[0].h_samp_factor = static_cast<int>(planes.subsample_x);
  info.comp_info[0].v_samp_factor = static_cast<int>(planes.subsample_y);
}

// The outermost samples go on into the padding.
Padded extended(const Plane& plane, Padded padded) {
  const uint64_t rows = padded.samples.size() / padded.width;
  for (uint64_t y = 0; y < rows; ++y) {
    const uint8_t* const from =
        plane.row(static_cast<uint32_t>(std::min<uint64_t>(y, plane.height - 1)));
    std::copy_n(from, plane.width, padded.row(y));
    std::fill(padded.row(y) + plane.width, padded.row(y) + padded.width, from[plane.width - 1]);
  }
  return padded;
}

std::vector<Padded> whole_blocks(const Planes& planes) {
  const uint32_t across = samples_of(planes.width(), planes.subsample_x * DCTSIZE);
  const uint32_t down = samples_of(planes.height(), planes.subsample_y * DCTSIZE);
  std::vector<Padded> all;
  for (size_t i = 0; i < count_of(planes.family); ++i)
    all.push_back(
        extended(planes.planes[i],
                 padded_for(across, down, i == 0 ? static_cast<int>(planes.subsample_x) : 1,
                            i == 0 ? static_cast<int>(planes.subsample_y) : 1)));
  return all;
}

bool write_samples(Writer& writer, std::vector<Padded>& all) {
  RowPointers pointers = {};
  jpeg_compress_struct& info = writer.info;
  const JDIMENSION at_once = all[0].rows_at_once;
  return guarded(writer.trouble, [&] {
    jpeg_start_compress(&info, TRUE);
    while (info.next_scanline < info.image_height) {
      point_at(pointers, all, info.next_scanline / at_once);
      jpeg_write_raw_data(&info, pointers.components, at_once);
    }
    jpeg_finish_compress(&info);
  });
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

// A block of 8 x 8 samples takes at most twice its samples, and pictures of 444 have three.
uint64_t most_jpeg_bytes(uint32_t width, uint32_t height) {
  const uint64_t across = samples_of(width, 16) * uint64_t{16};
  return across * samples_of(height, 16) * 16 * 6 + 2048;
}

Result<uint64_t> encode_jpeg(const Planes& planes, int quality, uint8_t* to, uint64_t room) {
  Writer writer;
  std::vector<Padded> all = whole_blocks(planes);
  writer.target.to = to;
  writer.target.room = room;
  const bool written = room != 0 && writer.begun &&
                       guarded(writer.trouble, [&] { set_up(writer, planes, quality); }) &&
                       write_samples(writer, all);
  if (written && !writer.target.overflown()) return writer.target.written();
  return Error("OPK-IMAGE-004",
               fmt::format("{} x {} pixels do not fit as a JPEG into {} bytes", planes.width(),
                           planes.height(), room),
               "give it the bytes that acldvppJpegPredictEncSize names");
}

}  // namespace opkit::image
