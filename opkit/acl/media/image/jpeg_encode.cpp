#include "opkit/acl/media/image/jpeg.h"
#include "opkit/acl/media/image/jpeg_session.h"
// jerror.h wants jpeglib.h in front of it.
#include <fmt/format.h>
#include <jerror.h>

#include <algorithm>

namespace opkit::image {

using namespace jpeg_session;

namespace {

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
