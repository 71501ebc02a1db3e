// Media: what a program has of hi_mpi_*: channels by the numbers that it chose. Their members are
// used with the lock held, but queues, which have locks of their own.
#ifndef OPKIT_ACL_MEDIA_MPI_H_
#define OPKIT_ACL_MEDIA_MPI_H_

#include <condition_variable>
#include <map>
#include <memory>
#include <set>
#include <string>

#include "acl/dvpp/hi_dvpp.h"
#include "opkit/acl/base/error.h"
#include "opkit/acl/media/image/color.h"
#include "opkit/acl/media/mpi_queue.h"

namespace opkit::acl {

struct VpcChannel {
  image::ColorStandard standard = image::ColorStandard::kBt601Wide;
  uint32_t last_task = 0;
  std::set<uint32_t> done;  // tasks whose results nobody has asked for
};

// trouble: why nothing was decoded.
struct DecodedFrame {
  hi_video_frame_info frame = {};
  hi_vdec_stream stream = {};
  std::string trouble = {};
};
struct Decoder {
  hi_vdec_chn_attr attr = {};
  hi_vdec_chn_param param = {};
  hi_csc_matrix matrix = HI_CSC_MATRIX_BT601_WIDE;
  bool started = false;
  uint32_t received = 0, failed = 0, width = 0, height = 0;
  ResultQueue<DecodedFrame> frames;
};

// memory: of the channel, nullptr where the program gave it.
struct EncodedFile {
  hi_venc_pack pack = {};
  void* memory = nullptr;
  std::string trouble = {};
};
struct Encoder {
  hi_venc_attr attr = {};
  hi_venc_jpeg_param quality = {};
  hi_venc_chn_param param = {};
  bool started = false, closed = false;
  int32_t left_pictures = -1;  // that are still taken; -1: any
  uint32_t sequence = 0;
  std::map<void*, uint64_t> held;  // memory of files that were not released, and its bytes
  uint64_t held_bytes = 0;
  std::condition_variable_any released;
  ResultQueue<EncodedFile> files;
};

struct DecodedPng {
  hi_pic_info picture = {};
  hi_img_stream stream = {};
  hi_s32 code = HI_SUCCESS;
  std::string trouble = {};
};
struct PngDecoder {
  ResultQueue<DecodedPng> pictures;
};

// Channels of one module.
template <typename Channel>
class MediaChannels {
 public:
  explicit MediaChannels(hi_mod_id module) : module_(module) {}

  hi_mod_id module() const { return module_; }
  hi_s32 error(uint32_t number) const { return HI_DVPP_ERROR(module_, number); }
  // most: channels that the chip has.
  hi_s32 check_number(hi_s32 number, hi_s32 most) const {
    if (number >= 0 && number < most) return HI_SUCCESS;
    return fail(error(HI_DVPP_INVALID_CHN_ID), "channel %d; 0 to %d are possible", number,
                most - 1);
  }
  hi_s32 check_free(hi_s32 number, hi_s32 most) const {
    if (const hi_s32 code = check_number(number, most)) return code;
    if (!all_.contains(number)) return HI_SUCCESS;
    return fail(error(HI_DVPP_EXIST), "channel %d is there already; destroy it first", number);
  }
  hi_s32 find(hi_s32 number, hi_s32 most, std::shared_ptr<Channel>& channel) const {
    if (const hi_s32 code = check_number(number, most)) return code;
    const auto found = all_.find(number);
    if (found == all_.end()) return gone(number);
    channel = found->second;
    return HI_SUCCESS;
  }
  hi_s32 gone(hi_s32 number) const {
    return fail(error(HI_DVPP_UNEXIST),
                "channel %d was not created, or was destroyed; create it first", number);
  }
  // The least number that no channel has.
  hi_s32 free_number() const {
    hi_s32 number = 0;
    while (all_.contains(number)) ++number;
    return number;
  }
  void add(hi_s32 number, std::shared_ptr<Channel> channel) {
    all_.emplace(number, std::move(channel));
  }
  void remove(hi_s32 number) { all_.erase(number); }
  const std::map<hi_s32, std::shared_ptr<Channel>>& all() const { return all_; }

 private:
  hi_mod_id module_;
  std::map<hi_s32, std::shared_ptr<Channel>> all_;
};

struct Media {
  bool ready = false;  // hi_mpi_sys_init was called
  MediaChannels<VpcChannel> vpc{HI_ID_VPC};
  MediaChannels<Decoder> decoders{HI_ID_VDEC};
  MediaChannels<Encoder> encoders{HI_ID_VENC};
  MediaChannels<PngDecoder> png{HI_ID_PNGD};
  std::set<int> epolls;
};

// Returns the program's, made on first use and never destroyed.
Media& media();

}  // namespace opkit::acl

#endif  // OPKIT_ACL_MEDIA_MPI_H_
