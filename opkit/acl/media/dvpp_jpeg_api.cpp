// The calls that ask about JPEGs, decode and encode them.
#include <algorithm>
#include <limits>

#include "opkit/acl/base/lock.h"
#include "opkit/acl/device/device.h"
#include "opkit/acl/media/dvpp.h"
#include "opkit/acl/media/dvpp_jpeg.h"

namespace opkit::acl {
namespace {

constexpr uint32_t kMostAlignment = 128;  // pixels of a decoded picture's width stride, on any chip

// The header of a file in host memory.
aclError ask_header(const char* call, const void* data, uint32_t size, image::JpegHeader& header) {
  if (!data || size == 0)
    return fail(ACL_ERROR_INVALID_PARAM, "%s wants a file in host memory and its bytes", call);
  if (const aclError code = check_on_host(data))
    return fail(code, "%s: %s", call, take_text().c_str());
  const auto read = image::read_jpeg_header(file_of(data, size));
  if (!read.ok()) return tell(read.error());
  header = *read;
  return ACL_SUCCESS;
}

constexpr const char *kFile = "the file", *kRoom = "the memory for the file";

struct DecodeTask {
  const void* data;
  uint32_t size;
  PictureUse to;
};

// Judges what can be judged without the file.
aclError judge_output(const PictureFields& fields) {
  if (!fields.data || fields.size == 0)
    return fail(ACL_ERROR_INVALID_PARAM,
                "the output has %u bytes at %p; call acldvppSetPicDescData and "
                "acldvppSetPicDescSize",
                fields.size, fields.data);
  if (!the_device().memory().holds(fields.data, fields.size))
    return check_file(fields.data, fields.size, "the output");
  if (fields.format == PIXEL_FORMAT_UNKNOWN || image::layout_of(fields.format)) return ACL_SUCCESS;
  return fail(ACL_ERROR_FORMAT_NOT_MATCH, "the output's format is %d, which nothing is decoded to",
              static_cast<int>(fields.format));
}

// The plan of the file as it is now, whose memory may be gone. The file is copied: what is decoded
// must be what was judged.
aclError plan_decode(const DecodeTask& decode, std::string& file, image::JpegHeader& header,
                     image::Picture& picture) {
  const Lock lock;
  PictureFields fields;
  if (const aclError code = decode.to.read_output(fields)) return code;
  if (const aclError code = check_file(decode.data, decode.size, kFile)) return code;
  file = file_of(decode.data, decode.size);
  const auto read = image::read_jpeg_header(file);
  if (!read.ok()) return tell(read.error());
  header = *read;
  if (const aclError code = plan_decoded(rules_of(), header, fields, picture)) return code;
  picture.data = static_cast<uint8_t*>(fields.data);
  return judge_memory(fields, {"output", true}, picture);
}

aclError decode_now(const DecodeTask& decode, image::Picture& picture) {
  std::string file;
  image::JpegHeader header;
  if (const aclError code = plan_decode(decode, file, header, picture)) return code;
  return store_decoded(file, header, picture);
}

aclError run_decode(const DecodeTask& decode) {
  image::Picture picture;
  if (decode_now(decode, picture) != ACL_SUCCESS) {
    const aclError code = failed_task("acldvppJpegDecodeAsync");
    decode.to.answer({}, code);
    return code;
  }
  decode.to.answer(fields_of(picture), ACL_SUCCESS);
  return ACL_SUCCESS;
}

struct EncodeTask {
  PictureUse from;
  void* data;
  uint32_t room;
  uint32_t* size;
  int quality;
  std::array<uint32_t, 2> most;  // height, width
};

aclError plan_encode_now(const EncodeTask& encode, image::Picture& picture) {
  const Lock lock;
  PictureFields fields;
  if (const aclError code = encode.from.read_input(fields)) return code;
  if (const aclError code = check_file(encode.data, encode.room, kRoom)) return code;
  return plan_encoded(encode.most, fields, picture);
}

aclError run_encode(const EncodeTask& encode) {
  constexpr const char* kCall = "acldvppJpegEncodeAsync";
  image::Picture picture;
  if (plan_encode_now(encode, picture) != ACL_SUCCESS) return failed_task(kCall);
  const auto written =
      image::encode_jpeg(image::load(picture, {0, 0, picture.width, picture.height}),
                         encode.quality, static_cast<uint8_t*>(encode.data), encode.room);
  if (!written.ok()) return tell(written.error()), failed_task(kCall);
  *encode.size = static_cast<uint32_t>(*written);
  return ACL_SUCCESS;
}

aclError prepare_encode(const acldvppChannelDesc* desc, const acldvppPicDesc* from,
                        const acldvppJpegeConfig* config, EncodeTask& encode) {
  acldvppChannelDesc channel;
  if (const aclError code = find_channel(desc, DVPP_CHNMODE_JPEGE, channel)) return code;
  if (const aclError code = PictureUse::of(from, encode.from)) return code;
  const acldvppJpegeConfig* const level = dvpp().jpeg_configs.find(config);
  if (!level) return dvpp().jpeg_configs.unknown(config);
  if (!encode.size) return fail(ACL_ERROR_INVALID_PARAM, "no place for the file's size");
  encode.room = *encode.size;
  encode.quality = level->level == 0 ? 100 : static_cast<int>(level->level);
  encode.most = channel.most;
  if (const aclError code = check_file(encode.data, encode.room, kRoom)) return code;
  if (encode.from.is_awaited()) return ACL_SUCCESS;
  PictureFields fields;
  image::Picture picture;
  if (const aclError code = encode.from.read_input(fields)) return code;
  return plan_encoded(encode.most, fields, picture);
}

aclError give_size(const char* call, uint64_t bytes, uint32_t* size) {
  if (bytes > std::numeric_limits<uint32_t>::max())
    return fail(ACL_ERROR_INVALID_PARAM, "%s: %llu bytes do not fit into 32 bits", call,
                static_cast<unsigned long long>(bytes));
  *size = static_cast<uint32_t>(bytes);
  return ACL_SUCCESS;
}

}  // namespace
}  // namespace opkit::acl

using namespace opkit::acl;

OPKIT_ACL_EXPORT aclError acldvppJpegGetImageInfo(const void* data, uint32_t size, uint32_t* width,
                                                  uint32_t* height, int32_t* components) {
  acldvppJpegFormat format = ACL_JPEG_CSS_UNKNOWN;
  return acldvppJpegGetImageInfoV2(data, size, width, height, components, &format);
}

OPKIT_ACL_EXPORT aclError acldvppJpegGetImageInfoV2(const void* data, uint32_t size,
                                                    uint32_t* width, uint32_t* height,
                                                    int32_t* components,
                                                    acldvppJpegFormat* format) {
  opkit::image::JpegHeader header;
  if (const aclError code = ask_header("acldvppJpegGetImageInfo", data, size, header)) return code;
  if (!width || !height || !components || !format)
    return fail(ACL_ERROR_INVALID_PARAM,
                "acldvppJpegGetImageInfo wants a place for each of its answers");
  *width = header.width;
  *height = header.height;
  *components = header.components;
  *format = static_cast<acldvppJpegFormat>(header.sampling);
  return ACL_SUCCESS;
}

OPKIT_ACL_EXPORT aclError acldvppJpegPredictDecSize(const void* data, uint32_t size,
                                                    acldvppPixelFormat format,
                                                    uint32_t* predicted) {
  constexpr const char* kCall = "acldvppJpegPredictDecSize";
  opkit::image::JpegHeader header;
  if (const aclError code = ask_header(kCall, data, size, header)) return code;
  if (!predicted)
    return fail(ACL_ERROR_INVALID_PARAM, "acldvppJpegPredictDecSize wants a place for the size");
  const Lock lock;
  if (const aclError code = check_pictures()) return code;
  opkit::PictureRules rules = rules_of();
  rules.decoded_alignment = kMostAlignment;
  PictureFields fields;
  fields.format = format;
  opkit::image::Picture picture;
  if (const aclError code = plan_decoded(rules, header, fields, picture)) return code;
  return give_size(kCall, opkit::image::bytes_of(picture), predicted);
}

OPKIT_ACL_EXPORT aclError acldvppJpegPredictEncSize(const acldvppPicDesc* from,
                                                    const acldvppJpegeConfig* config,
                                                    uint32_t* size) {
  const Lock lock;
  const acldvppPicDesc* const picture = dvpp().pictures.find(from);
  if (!picture) return dvpp().pictures.unknown(from);
  if (!dvpp().jpeg_configs.find(config)) return dvpp().jpeg_configs.unknown(config);
  if (const aclError code = check_pictures()) return code;
  const opkit::PictureRules& rules = rules_of();
  const PictureFields& fields = *picture->fields;
  if (!size || fields.width == 0 || fields.height == 0 || fields.width > rules.most_stride ||
      fields.height > rules.most_stride)
    return fail(ACL_ERROR_INVALID_PARAM,
                "acldvppJpegPredictEncSize wants a place for the size, and a picture of 1 to %u "
                "pixels in each dim, not %u x %u",
                rules.most_stride, fields.width, fields.height);
  return give_size("acldvppJpegPredictEncSize",
                   opkit::image::most_jpeg_bytes(fields.width, fields.height), size);
}

OPKIT_ACL_EXPORT aclError acldvppJpegDecodeAsync(acldvppChannelDesc* desc, const void* data,
                                                 uint32_t size, acldvppPicDesc* to,
                                                 aclrtStream stream) {
  return submit_call(__func__, stream, [&](Task& task) -> aclError {
    acldvppChannelDesc channel;
    DecodeTask decode{data, size, {}};
    if (const aclError code = find_channel(desc, DVPP_CHNMODE_JPEGD, channel)) return code;
    if (const aclError code = PictureUse::of(to, decode.to)) return code;
    if (const aclError code = check_file(data, size, kFile)) return code;
    PictureFields fields;
    if (const aclError code = decode.to.read_output(fields)) return code;
    if (const aclError code = judge_output(fields)) return code;
    decode.to.await();
    task.work = [decode] { return run_decode(decode); };
    return ACL_SUCCESS;
  });
}

OPKIT_ACL_EXPORT aclError acldvppJpegEncodeAsync(acldvppChannelDesc* channel, acldvppPicDesc* from,
                                                 const void* data, uint32_t* size,
                                                 acldvppJpegeConfig* config, aclrtStream stream) {
  return submit_call(__func__, stream, [&](Task& task) -> aclError {
    EncodeTask encode{{}, const_cast<void*>(data), 0, size, 0, {}};
    if (const aclError code = prepare_encode(channel, from, config, encode)) return code;
    task.work = [encode] { return run_encode(encode); };
    return ACL_SUCCESS;
  });
}
