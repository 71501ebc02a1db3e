// JPEG by libjpeg-turbo, which only jpeg_session.h shows. Bytes may be anything: what is no whole
// JPEG of Huffman codes in Y, U and V is an Error, and memory is taken only for what was asked.
#ifndef OPKIT_ACL_MEDIA_IMAGE_JPEG_H_
#define OPKIT_ACL_MEDIA_IMAGE_JPEG_H_

#include <string_view>

#include "opkit/acl/media/image/picture.h"
#include "opkit/base/status.h"

namespace opkit::image {

// The numbers are the vendor's acldvppJpegFormat.
enum class JpegSampling : int32_t {
  k444 = 0,
  k422 = 1,
  k420 = 2,
  kGray = 3,
  k440 = 4,
  k411 = 5,
  kUnknown = 1000,
};

struct JpegHeader {
  uint32_t width = 0, height = 0;  // tell the stored size, before any turn
  int32_t components = 0;
  JpegSampling sampling = JpegSampling::kUnknown;
  int orientation = 1;  // holds the orientation that Exif says, 1 to 8
};

// Errors: OPK-IMAGE-001 for what is no JPEG or ends in its header; -002 for a coding that is not
// read here: progressive, arithmetic, 12 bits, other colours.
Result<JpegHeader> read_jpeg_header(std::string_view bytes);

// Returns all its samples, as stored. Errors: as above; -002 for a sampling that is not read; -003
// for data that breaks off or makes no sense. It takes about six bytes for each pixel: judge the
// header first.
Result<Planes> decode_jpeg(std::string_view bytes);

// Turned and mirrored so that it is seen as orientation 1.
Planes upright(Planes planes, int orientation);

// Returns the bytes that encode_jpeg() needs at most for a picture of this size.
uint64_t most_jpeg_bytes(uint32_t width, uint32_t height);

// Writes into [to, to + room); the number of bytes. quality: 1 to 100. Error: OPK-IMAGE-004 when
// the room is too small; then part of it is written. REQUIRES: planes of YUV or gray, of 1 to 65500
// pixels in each dim.
Result<uint64_t> encode_jpeg(const Planes& planes, int quality, uint8_t* to, uint64_t room);

}  // namespace opkit::image

#endif  // OPKIT_ACL_MEDIA_IMAGE_JPEG_H_
