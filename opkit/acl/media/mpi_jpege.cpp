// JPEGs by hi_mpi_venc_*: each frame is encoded while it is sent; its file waits to be got.
#include <cstring>
#include <limits>
#include <vector>

#include "opkit/acl/base/lock.h"
#include "opkit/acl/device/device.h"
#include "opkit/acl/media/dvpp_jpeg.h"
#include "opkit/acl/media/mpi.h"
#include "opkit/acl/media/mpi_call.h"

namespace opkit::acl {
namespace {

constexpr uint64_t kFileAlignment = 16;

// A frame that was sent. to: the program's memory, or nullptr.
struct EncodeJob {
  image::Picture picture = {};
  int quality = 100;
  const hi_img_stream* to = nullptr;
};

PictureFields frame_fields(const hi_video_frame& frame) {
  PictureFields fields;
  fields.data = frame.virt_addr[0];
  fields.size = std::numeric_limits<uint32_t>::max();  // nothing says it: the device does
  fields.format = static_cast<acldvppPixelFormat>(frame.pixel_format);
  fields.width = frame.width;
  fields.height = frame.height;
  fields.width_stride = frame.width_stride[0];
  return fields;
}

// Where U and V begin says how many rows Y has. (Vendor's page "hi_video_frame": the height stride
// is reserved for encoders.)
hi_s32 take_chroma(const hi_video_frame& frame, PictureFields& fields) {
  const image::PixelLayout* const layout = image::layout_of(fields.format);
  if (!layout || layout->chroma_strides == 0 || !frame.virt_addr[1] || fields.width_stride == 0)
    return HI_SUCCESS;
  const auto luma = reinterpret_cast<uintptr_t>(frame.virt_addr[0]);
  const auto chroma = reinterpret_cast<uintptr_t>(frame.virt_addr[1]);
  const uint64_t distance = chroma - luma;
  if (chroma < luma || distance % fields.width_stride != 0 ||
      distance / fields.width_stride > rules_of().most_stride)
    return fail(HI_ERR_VENC_ILLEGAL_PARAM,
                "virt_addr[0] is %p and virt_addr[1] %p; U and V begin whole rows of %u bytes "
                "behind Y",
                frame.virt_addr[0], frame.virt_addr[1], fields.width_stride);
  fields.height_stride = static_cast<uint32_t>(distance / fields.width_stride);
  return HI_SUCCESS;
}

hi_s32 check_taking(const Encoder& encoder, const hi_img_stream* to) {
  if (!encoder.started || encoder.left_pictures == 0)
    return fail(HI_ERR_VENC_NOT_PERM,
                "the channel takes no frames%s; call hi_mpi_venc_start_chn first",
                encoder.started ? " any more (recv_pic_num)" : "");
  if ((encoder.attr.buf_size == 0) == (to != nullptr)) return HI_SUCCESS;
  return fail(HI_ERR_VENC_NOT_SUPPORT,
              "the channel's buf_size is %u; hi_mpi_venc_send_jpege_frame wants 0, and "
              "hi_mpi_venc_send_frame more",
              encoder.attr.buf_size);
}

hi_s32 check_room(const hi_img_stream& to) {
  if (reinterpret_cast<uintptr_t>(to.addr) % kFileAlignment != 0)
    return fail(HI_ERR_VENC_ILLEGAL_PARAM,
                "the memory for the file is at %p; a multiple of %llu "
                "is needed",
                static_cast<void*>(to.addr), static_cast<unsigned long long>(kFileAlignment));
  return check_media_memory(HI_ID_VENC, "the memory for the file", to.addr, to.len);
}

hi_s32 accept_frame(Encoder& encoder, const hi_video_frame_info* frame, EncodeJob& job) {
  if (!frame) return no_pointer(HI_ID_VENC, "frame");
  if (const hi_s32 code = check_taking(encoder, job.to)) return code;
  PictureFields fields = frame_fields(frame->v_frame);
  if (!fields.data) return no_pointer(HI_ID_VENC, "virt_addr[0] of the frame");
  if (const hi_s32 code = take_chroma(frame->v_frame, fields)) return code;
  const std::array<uint32_t, 2> most = {encoder.attr.max_pic_height, encoder.attr.max_pic_width};
  if (const aclError code = plan_encoded(most, fields, job.picture))
    return media_code(HI_ID_VENC, code);
  if (job.to) {
    if (const hi_s32 code = check_room(*job.to)) return code;
  }
  job.quality = static_cast<int>(encoder.quality.qfactor);
  if (encoder.left_pictures > 0) --encoder.left_pictures;
  return HI_SUCCESS;
}

struct EncodedBytes {
  std::vector<uint8_t> bytes = {};
  std::string trouble = {};
};

EncodedBytes encode_job(const EncodeJob& job) {
  EncodedBytes encoded;
  const image::Picture& picture = job.picture;
  const uint64_t room =
      job.to ? job.to->len : image::most_jpeg_bytes(picture.width, picture.height);
  encoded.bytes.resize(room);
  const auto written =
      image::encode_jpeg(image::load(picture, {0, 0, picture.width, picture.height}), job.quality,
                         encoded.bytes.data(), room);
  encoded.bytes.resize(written.ok() ? *written : 0);
  if (!written.ok()) encoded.trouble = written.error().to_string();
  return encoded;
}

// Waits until the program has released enough. `lock` holds the lock once.
hi_s32 wait_for_room(std::unique_lock<std::recursive_mutex>& lock, hi_venc_chn number,
                     Encoder& encoder, uint64_t bytes, hi_s32 milliseconds) {
  const uint64_t room = encoder.attr.buf_size;
  const auto fits = [&] { return encoder.closed || encoder.held_bytes + bytes <= room; };
  if (bytes > room)
    return fail(HI_ERR_VENC_NO_BUF,
                "the file has %llu bytes, and the channel's buf_size is %llu; create it with more",
                static_cast<unsigned long long>(bytes), static_cast<unsigned long long>(room));
  if (milliseconds < 0)
    encoder.released.wait(lock, fits);
  else
    encoder.released.wait_for(lock, std::chrono::milliseconds(milliseconds), fits);
  if (encoder.closed) return media().encoders.gone(number);
  if (fits()) return HI_SUCCESS;
  return fail(HI_ERR_VENC_BUF_FULL,
              "files of %llu of buf_size %llu bytes are still to be released; call "
              "hi_mpi_venc_get_stream and hi_mpi_venc_release_stream",
              static_cast<unsigned long long>(encoder.held_bytes),
              static_cast<unsigned long long>(room));
}

// Memory of the channel's for the bytes.
hi_s32 keep_bytes(Encoder& encoder, const std::vector<uint8_t>& bytes, EncodedFile& file) {
  if (const aclError code =
          the_device().memory().allocate(&file.memory, bytes.size(), 0, MemoryOrigin::kPicture))
    return media_code(HI_ID_VENC, code);
  encoder.held.emplace(file.memory, bytes.size());
  encoder.held_bytes += bytes.size();
  std::memcpy(file.memory, bytes.data(), bytes.size());
  file.pack.addr = static_cast<hi_u8*>(file.memory);
  return HI_SUCCESS;
}

hi_s32 deliver_file(hi_venc_chn number, const hi_video_frame& frame, const EncodeJob& job,
                    const EncodedBytes& encoded, hi_s32 milliseconds) {
  std::unique_lock lock(Lock::mutex());
  std::shared_ptr<Encoder> encoder;
  EncodedFile file;
  if (const hi_s32 code = find_media_channel(&Media::encoders, number, encoder)) return code;
  if (job.to) {
    std::memcpy(job.to->addr, encoded.bytes.data(), encoded.bytes.size());
    file.pack.addr = job.to->addr;
  } else if (encoded.trouble.empty()) {
    if (const hi_s32 code =
            wait_for_room(lock, number, *encoder, encoded.bytes.size(), milliseconds))
      return code;
    if (const hi_s32 code = keep_bytes(*encoder, encoded.bytes, file)) return code;
  }
  file.pack.input_addr = reinterpret_cast<uintptr_t>(frame.virt_addr[0]);
  file.pack.len = static_cast<hi_u32>(encoded.bytes.size());
  file.pack.pts = frame.pts;
  file.pack.is_frame_end = HI_TRUE;
  file.pack.data_type.jpeg_type = HI_VENC_JPEG_PACK_PIC;
  file.trouble = encoded.trouble;
  encoder->files.push(std::move(file));
  return HI_SUCCESS;
}

hi_s32 send_frame(const char* call, hi_venc_chn number, const hi_video_frame_info* frame,
                  const hi_img_stream* to, hi_s32 milliseconds) {
  EncodeJob job;
  job.to = to;
  if (const hi_s32 code = check_wait(HI_ID_VENC, milliseconds)) return told(call, code);
  if (const hi_s32 code = with_channel(call, &Media::encoders, number, [&](Encoder& encoder) {
        return accept_frame(encoder, frame, job);
      }))
    return code;
  return told(call, deliver_file(number, frame->v_frame, job, encode_job(job), milliseconds));
}

hi_s32 get_file(hi_venc_chn number, hi_s32 milliseconds, EncodedFile& file, hi_u32& sequence) {
  std::shared_ptr<Encoder> encoder;
  if (const hi_s32 code = check_wait(HI_ID_VENC, milliseconds)) return code;
  {
    const Lock lock;
    if (const hi_s32 code = find_media_channel(&Media::encoders, number, encoder)) return code;
  }
  if (const hi_s32 code =
          code_of(media().encoders, number, encoder->files.take(milliseconds, file)))
    return code;
  const Lock lock;
  sequence = encoder->sequence++;
  return HI_SUCCESS;
}

// Memory that the program gave is its own.
hi_s32 release_file(Encoder& encoder, void* memory) {
  const auto held = encoder.held.find(memory);
  if (held == encoder.held.end()) {
    if (encoder.attr.buf_size == 0) return HI_SUCCESS;
    return fail(HI_ERR_VENC_ILLEGAL_PARAM,
                "%p is no file of this channel, or was released; hand on what "
                "hi_mpi_venc_get_stream gave",
                memory);
  }
  encoder.held_bytes -= held->second;
  encoder.held.erase(held);
  the_device().memory().release(memory, nullptr, {}, MemoryOrigin::kPicture);
  encoder.released.notify_all();
  return HI_SUCCESS;
}

}  // namespace
}  // namespace opkit::acl

using namespace opkit::acl;

OPKIT_ACL_EXPORT hi_s32 hi_mpi_venc_send_frame(hi_venc_chn number, const hi_video_frame_info* frame,
                                               hi_s32 milliseconds) {
  return send_frame(__func__, number, frame, nullptr, milliseconds);
}
OPKIT_ACL_EXPORT hi_s32 hi_mpi_venc_send_jpege_frame(hi_venc_chn number,
                                                     const hi_video_frame_info* frame,
                                                     const hi_img_stream* to, hi_s32 milliseconds) {
  if (!to) return told(__func__, no_pointer(HI_ID_VENC, "jpege_stream"));
  return send_frame(__func__, number, frame, to, milliseconds);
}

OPKIT_ACL_EXPORT hi_s32 hi_mpi_venc_get_stream(hi_venc_chn number, hi_venc_stream* stream,
                                               hi_s32 milliseconds) {
  if (!stream || !stream->pack) return told(__func__, no_pointer(HI_ID_VENC, "stream or its pack"));
  EncodedFile file;
  hi_u32 sequence = 0;
  if (const hi_s32 code = get_file(number, milliseconds, file, sequence))
    return told(__func__, code);
  *stream->pack = file.pack;
  stream->pack_cnt = 1;
  stream->seq = sequence;
  if (file.trouble.empty()) return HI_SUCCESS;
  return fail(HI_ERR_VENC_SYS_ERROR, "%s: %s", __func__, file.trouble.c_str());
}

OPKIT_ACL_EXPORT hi_s32 hi_mpi_venc_release_stream(hi_venc_chn number, hi_venc_stream* stream) {
  if (!stream || !stream->pack) return told(__func__, no_pointer(HI_ID_VENC, "stream or its pack"));
  return with_channel(__func__, &Media::encoders, number,
                      [&](Encoder& encoder) { return release_file(encoder, stream->pack->addr); });
}

OPKIT_ACL_EXPORT hi_s32 hi_mpi_venc_get_jpege_predicted_size(const hi_video_frame_info* frame,
                                                             const hi_venc_jpeg_param* param,
                                                             hi_u32* size) {
  if (!frame || !param || !size)
    return told(__func__, no_pointer(HI_ID_VENC, "frame, jpeg_param or size"));
  if (const aclError code = check_pictures()) return told(__func__, media_code(HI_ID_VENC, code));
  const hi_video_frame& picture = frame->v_frame;
  const uint64_t bytes = opkit::image::most_jpeg_bytes(picture.width, picture.height);
  if (picture.width == 0 || picture.height == 0 || bytes > std::numeric_limits<hi_u32>::max())
    return told(__func__, fail(HI_ERR_VENC_ILLEGAL_PARAM,
                               "the frame has %u x %u pixels; 1 to %u are possible", picture.width,
                               picture.height, rules_of().most_stride));
  *size = static_cast<hi_u32>(bytes);
  return HI_SUCCESS;
}
