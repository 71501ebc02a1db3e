#include "opkit/acl/media/dvpp_png.h"
#include "opkit/acl/base/lock.h"

namespace opkit::acl {
namespace {

constexpr uint32_t kPngUnit = 16;  // pixels of a width stride that the call chooses
constexpr const char* kPngFile = "the file";

aclError find_png_format(const image::PngHeader& header, acldvppPixelFormat wanted,
                         image::Picture& picture) {
  const bool alpha = image::has_alpha(header.color);
  const acldvppPixelFormat own = alpha ? PIXEL_FORMAT_RGBA_8888 : PIXEL_FORMAT_RGB_888;
  picture.layout = image::layout_of(wanted == PIXEL_FORMAT_UNKNOWN ? own : wanted);
  if (wanted == PIXEL_FORMAT_UNKNOWN || wanted == own || wanted == PIXEL_FORMAT_RGB_888)
    return ACL_SUCCESS;
  return fail(ACL_ERROR_FORMAT_NOT_MATCH,
              "the PNG is not decoded to format %d; take RGB888 (12), %sor PIXEL_FORMAT_UNKNOWN "
              "(10000)",
              static_cast<int>(wanted), alpha ? "RGBA8888 (16), " : "");
}

aclError judge_png_size(const PictureRules& rules, const image::PngHeader& header) {
  if (header.width >= rules.least_decoded && header.height >= rules.least_decoded &&
      header.width <= rules.most_png && header.height <= rules.most_png)
    return ACL_SUCCESS;
  return fail(ACL_ERROR_INVALID_PARAM, "the PNG has %u x %u pixels; %u x %u to %u x %u are decoded",
              header.width, header.height, rules.least_decoded, rules.least_decoded, rules.most_png,
              rules.most_png);
}

struct PngTask {
  const void* data;
  uint32_t size;
  PictureUse to;
};

aclError plan_png_now(const PngTask& task, std::string& file, image::Picture& picture) {
  const Lock lock;
  PictureFields fields;
  if (const aclError code = task.to.read_output(fields)) return code;
  if (const aclError code = check_file(task.data, task.size, kPngFile)) return code;
  file = file_of(task.data, task.size);
  const auto header = image::read_png_header(file);
  if (!header.ok()) return tell_png(header.error());
  if (const aclError code = plan_png(*header, fields, picture)) return code;
  picture.data = static_cast<uint8_t*>(fields.data);
  return judge_memory(fields, {"output", true}, picture);
}

aclError decode_png_now(const PngTask& task, image::Picture& picture) {
  std::string file;
  if (const aclError code = plan_png_now(task, file, picture)) return code;
  const Status decoded = image::decode_png(file, picture);
  return decoded.ok() ? aclError{ACL_SUCCESS} : tell_png(decoded.error());
}

aclError run_png(const PngTask& task) {
  image::Picture picture;
  if (decode_png_now(task, picture) != ACL_SUCCESS) {
    const aclError code = failed_task("acldvppPngDecodeAsync");
    task.to.answer({}, code);
    return code;
  }
  task.to.answer(fields_of(picture), ACL_SUCCESS);
  return ACL_SUCCESS;
}

// The header of a file in host memory.
aclError ask_png(const char* call, const void* data, uint32_t size, image::PngHeader& header) {
  if (!data || size == 0)
    return fail(ACL_ERROR_INVALID_PARAM, "%s wants a file in host memory and its bytes", call);
  if (const aclError code = check_on_host(data))
    return fail(code, "%s: %s", call, take_text().c_str());
  const auto read = image::read_png_header(file_of(data, size));
  if (!read.ok()) return tell_png(read.error());
  header = *read;
  return ACL_SUCCESS;
}

}  // namespace

aclError tell_png(const Error& error) {
  return fail(error.is(Cause::kUnreadPicture) ? ACL_ERROR_API_NOT_SUPPORT : ACL_ERROR_INVALID_PARAM,
              error);
}

aclError plan_png(const image::PngHeader& header, const PictureFields& fields,
                  image::Picture& picture) {
  if (const aclError code = check_pictures()) return code;
  const PictureRules& rules = rules_of();
  if (const aclError code = judge_png_size(rules, header)) return code;
  if (const aclError code = find_png_format(header, fields.format, picture)) return code;
  picture.width = header.width;
  picture.height = header.height;
  const uint32_t bytes = picture.layout->row_bytes, least = header.width * bytes;
  picture.width_stride =
      fields.width_stride == 0 ? round_up(header.width, kPngUnit) * bytes : fields.width_stride;
  picture.height_stride = fields.height_stride == 0 ? header.height : fields.height_stride;
  if (picture.width_stride >= least && picture.height_stride >= header.height &&
      picture.width_stride <= 4 * rules.most_stride && picture.height_stride <= rules.most_stride)
    return ACL_SUCCESS;
  return fail(ACL_ERROR_INVALID_PARAM,
              "the output's strides are %u and %u; %u x %u pixels of %s want %u bytes and %u rows "
              "or more (0 lets the call choose)",
              fields.width_stride, fields.height_stride, header.width, header.height,
              picture.layout->name, least, header.height);
}

}  // namespace opkit::acl

using namespace opkit::acl;

OPKIT_ACL_EXPORT aclError acldvppPngGetImageInfo(const void* data, uint32_t size, uint32_t* width,
                                                 uint32_t* height, int32_t* components) {
  opkit::image::PngHeader header;
  if (const aclError code = ask_png(__func__, data, size, header)) return code;
  if (!width || !height || !components)
    return fail(ACL_ERROR_INVALID_PARAM, "%s wants a place for each of its answers", __func__);
  *width = header.width;
  *height = header.height;
  *components = opkit::image::components_of(header.color);
  return ACL_SUCCESS;
}

OPKIT_ACL_EXPORT aclError acldvppPngPredictDecSize(const void* data, uint32_t size,
                                                   acldvppPixelFormat format, uint32_t* predicted) {
  opkit::image::PngHeader header;
  opkit::image::Picture picture;
  PictureFields fields;
  if (const aclError code = ask_png(__func__, data, size, header)) return code;
  if (!predicted) return fail(ACL_ERROR_INVALID_PARAM, "%s wants a place for the size", __func__);
  fields.format = format;
  if (const aclError code = plan_png(header, fields, picture)) return code;
  *predicted = static_cast<uint32_t>(opkit::image::bytes_of(picture));
  return ACL_SUCCESS;
}

OPKIT_ACL_EXPORT aclError acldvppPngDecodeAsync(acldvppChannelDesc* desc, const void* data,
                                                uint32_t size, acldvppPicDesc* to,
                                                aclrtStream stream) {
  return submit_call(__func__, stream, [&](Task& task) -> aclError {
    acldvppChannelDesc channel;
    PngTask decode{data, size, {}};
    PictureFields fields;
    if (const aclError code = find_channel(desc, DVPP_CHNMODE_PNGD, channel)) return code;
    if (const aclError code = PictureUse::of(to, decode.to)) return code;
    if (const aclError code = check_file(data, size, kPngFile)) return code;
    if (const aclError code = decode.to.read_output(fields)) return code;
    if (const aclError code = check_file(fields.data, fields.size, "the output")) return code;
    decode.to.await();
    task.work = [decode] { return run_png(decode); };
    return ACL_SUCCESS;
  });
}
