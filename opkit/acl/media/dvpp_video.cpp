// Video is refused by name.
#include "opkit/acl/base/error.h"

#include "acl/ops/acl_dvpp.h"

namespace opkit::acl {
namespace {

aclError no_video(const char* call) {
  return fail(ACL_ERROR_API_NOT_SUPPORT,
              "%s: video is not emulated; decode or encode it in the program (FFmpeg, GStreamer) "
              "and hand its frames on as pictures",
              call);
}

// Returns the answer of a call that has no code: NULL, 0.
template <typename Answer>
Answer no_video_answer(const char* call) {
  no_video(call);
  return Answer{};
}

}  // namespace
}  // namespace opkit::acl

using namespace opkit::acl;

OPKIT_ACL_EXPORT acldvppStreamDesc* acldvppCreateStreamDesc(void) {
  return no_video_answer<acldvppStreamDesc*>(__func__);
}
OPKIT_ACL_EXPORT aclError acldvppDestroyStreamDesc(const acldvppStreamDesc*) {
  return no_video(__func__);
}
OPKIT_ACL_EXPORT aclError acldvppSetStreamDescData(acldvppStreamDesc*, void*) {
  return no_video(__func__);
}
OPKIT_ACL_EXPORT void* acldvppGetStreamDescData(const acldvppStreamDesc*) {
  return no_video_answer<void*>(__func__);
}
OPKIT_ACL_EXPORT aclError acldvppSetStreamDescSize(acldvppStreamDesc*, uint32_t) {
  return no_video(__func__);
}
OPKIT_ACL_EXPORT uint32_t acldvppGetStreamDescSize(const acldvppStreamDesc*) {
  return no_video_answer<uint32_t>(__func__);
}
OPKIT_ACL_EXPORT aclError acldvppSetStreamDescFormat(acldvppStreamDesc*, acldvppStreamFormat) {
  return no_video(__func__);
}
OPKIT_ACL_EXPORT acldvppStreamFormat acldvppGetStreamDescFormat(const acldvppStreamDesc*) {
  return no_video_answer<acldvppStreamFormat>(__func__);
}
OPKIT_ACL_EXPORT aclError acldvppSetStreamDescTimestamp(acldvppStreamDesc*, uint64_t) {
  return no_video(__func__);
}
OPKIT_ACL_EXPORT uint64_t acldvppGetStreamDescTimestamp(const acldvppStreamDesc*) {
  return no_video_answer<uint64_t>(__func__);
}
OPKIT_ACL_EXPORT aclError acldvppSetStreamDescRetCode(acldvppStreamDesc*, uint32_t) {
  return no_video(__func__);
}
OPKIT_ACL_EXPORT uint32_t acldvppGetStreamDescRetCode(const acldvppStreamDesc*) {
  return no_video_answer<uint32_t>(__func__);
}
OPKIT_ACL_EXPORT aclError acldvppSetStreamDescEos(acldvppStreamDesc*, uint8_t) {
  return no_video(__func__);
}
OPKIT_ACL_EXPORT uint8_t acldvppGetStreamDescEos(const acldvppStreamDesc*) {
  return no_video_answer<uint8_t>(__func__);
}
OPKIT_ACL_EXPORT aclvdecChannelDesc* aclvdecCreateChannelDesc(void) {
  return no_video_answer<aclvdecChannelDesc*>(__func__);
}
OPKIT_ACL_EXPORT aclError aclvdecDestroyChannelDesc(aclvdecChannelDesc*) {
  return no_video(__func__);
}
OPKIT_ACL_EXPORT aclError aclvdecSetChannelDescChannelId(aclvdecChannelDesc*, uint32_t) {
  return no_video(__func__);
}
OPKIT_ACL_EXPORT uint32_t aclvdecGetChannelDescChannelId(const aclvdecChannelDesc*) {
  return no_video_answer<uint32_t>(__func__);
}
OPKIT_ACL_EXPORT aclError aclvdecSetChannelDescThreadId(aclvdecChannelDesc*, uint64_t) {
  return no_video(__func__);
}
OPKIT_ACL_EXPORT uint64_t aclvdecGetChannelDescThreadId(const aclvdecChannelDesc*) {
  return no_video_answer<uint64_t>(__func__);
}
OPKIT_ACL_EXPORT aclError aclvdecSetChannelDescCallback(aclvdecChannelDesc*, aclvdecCallback) {
  return no_video(__func__);
}
OPKIT_ACL_EXPORT aclvdecCallback aclvdecGetChannelDescCallback(const aclvdecChannelDesc*) {
  return no_video_answer<aclvdecCallback>(__func__);
}
OPKIT_ACL_EXPORT aclError aclvdecSetChannelDescEnType(aclvdecChannelDesc*, acldvppStreamFormat) {
  return no_video(__func__);
}
OPKIT_ACL_EXPORT acldvppStreamFormat aclvdecGetChannelDescEnType(const aclvdecChannelDesc*) {
  return no_video_answer<acldvppStreamFormat>(__func__);
}
OPKIT_ACL_EXPORT aclError aclvdecSetChannelDescOutPicFormat(aclvdecChannelDesc*,
                                                            acldvppPixelFormat) {
  return no_video(__func__);
}
OPKIT_ACL_EXPORT acldvppPixelFormat aclvdecGetChannelDescOutPicFormat(const aclvdecChannelDesc*) {
  return no_video_answer<acldvppPixelFormat>(__func__);
}
OPKIT_ACL_EXPORT aclError aclvdecSetChannelDescOutPicWidth(aclvdecChannelDesc*, uint32_t) {
  return no_video(__func__);
}
OPKIT_ACL_EXPORT uint32_t aclvdecGetChannelDescOutPicWidth(const aclvdecChannelDesc*) {
  return no_video_answer<uint32_t>(__func__);
}
OPKIT_ACL_EXPORT aclError aclvdecSetChannelDescOutPicHeight(aclvdecChannelDesc*, uint32_t) {
  return no_video(__func__);
}
OPKIT_ACL_EXPORT uint32_t aclvdecGetChannelDescOutPicHeight(const aclvdecChannelDesc*) {
  return no_video_answer<uint32_t>(__func__);
}
OPKIT_ACL_EXPORT aclError aclvdecSetChannelDescRefFrameNum(aclvdecChannelDesc*, uint32_t) {
  return no_video(__func__);
}
OPKIT_ACL_EXPORT uint32_t aclvdecGetChannelDescRefFrameNum(const aclvdecChannelDesc*) {
  return no_video_answer<uint32_t>(__func__);
}
OPKIT_ACL_EXPORT aclError aclvdecSetChannelDescOutMode(aclvdecChannelDesc*, uint32_t) {
  return no_video(__func__);
}
OPKIT_ACL_EXPORT uint32_t aclvdecGetChannelDescOutMode(const aclvdecChannelDesc*) {
  return no_video_answer<uint32_t>(__func__);
}
OPKIT_ACL_EXPORT aclError aclvdecSetChannelDescBitDepth(aclvdecChannelDesc*, uint32_t) {
  return no_video(__func__);
}
OPKIT_ACL_EXPORT uint32_t aclvdecGetChannelDescBitDepth(const aclvdecChannelDesc*) {
  return no_video_answer<uint32_t>(__func__);
}
OPKIT_ACL_EXPORT aclError aclvdecCreateChannel(aclvdecChannelDesc*) { return no_video(__func__); }
OPKIT_ACL_EXPORT aclError aclvdecDestroyChannel(aclvdecChannelDesc*) { return no_video(__func__); }
OPKIT_ACL_EXPORT aclvdecFrameConfig* aclvdecCreateFrameConfig(void) {
  return no_video_answer<aclvdecFrameConfig*>(__func__);
}
OPKIT_ACL_EXPORT aclError aclvdecDestroyFrameConfig(aclvdecFrameConfig*) {
  return no_video(__func__);
}
OPKIT_ACL_EXPORT aclError aclvdecSendFrame(aclvdecChannelDesc*, acldvppStreamDesc*, acldvppPicDesc*,
                                           aclvdecFrameConfig*, void*) {
  return no_video(__func__);
}
OPKIT_ACL_EXPORT aclError aclvdecSendSkippedFrame(aclvdecChannelDesc*, acldvppStreamDesc*,
                                                  aclvdecFrameConfig*, void*) {
  return no_video(__func__);
}
OPKIT_ACL_EXPORT aclvencChannelDesc* aclvencCreateChannelDesc(void) {
  return no_video_answer<aclvencChannelDesc*>(__func__);
}
OPKIT_ACL_EXPORT aclError aclvencDestroyChannelDesc(aclvencChannelDesc*) {
  return no_video(__func__);
}
OPKIT_ACL_EXPORT aclError aclvencSetChannelDescThreadId(aclvencChannelDesc*, uint64_t) {
  return no_video(__func__);
}
OPKIT_ACL_EXPORT uint64_t aclvencGetChannelDescThreadId(const aclvencChannelDesc*) {
  return no_video_answer<uint64_t>(__func__);
}
OPKIT_ACL_EXPORT aclError aclvencSetChannelDescCallback(aclvencChannelDesc*, aclvencCallback) {
  return no_video(__func__);
}
OPKIT_ACL_EXPORT aclvencCallback aclvencGetChannelDescCallback(const aclvencChannelDesc*) {
  return no_video_answer<aclvencCallback>(__func__);
}
OPKIT_ACL_EXPORT aclError aclvencSetChannelDescEnType(aclvencChannelDesc*, acldvppStreamFormat) {
  return no_video(__func__);
}
OPKIT_ACL_EXPORT acldvppStreamFormat aclvencGetChannelDescEnType(const aclvencChannelDesc*) {
  return no_video_answer<acldvppStreamFormat>(__func__);
}
OPKIT_ACL_EXPORT aclError aclvencSetChannelDescPicFormat(aclvencChannelDesc*, acldvppPixelFormat) {
  return no_video(__func__);
}
OPKIT_ACL_EXPORT acldvppPixelFormat aclvencGetChannelDescPicFormat(const aclvencChannelDesc*) {
  return no_video_answer<acldvppPixelFormat>(__func__);
}
OPKIT_ACL_EXPORT aclError aclvencSetChannelDescPicWidth(aclvencChannelDesc*, uint32_t) {
  return no_video(__func__);
}
OPKIT_ACL_EXPORT uint32_t aclvencGetChannelDescPicWidth(const aclvencChannelDesc*) {
  return no_video_answer<uint32_t>(__func__);
}
OPKIT_ACL_EXPORT aclError aclvencSetChannelDescPicHeight(aclvencChannelDesc*, uint32_t) {
  return no_video(__func__);
}
OPKIT_ACL_EXPORT uint32_t aclvencGetChannelDescPicHeight(const aclvencChannelDesc*) {
  return no_video_answer<uint32_t>(__func__);
}
OPKIT_ACL_EXPORT aclError aclvencSetChannelDescKeyFrameInterval(aclvencChannelDesc*, uint32_t) {
  return no_video(__func__);
}
OPKIT_ACL_EXPORT uint32_t aclvencGetChannelDescKeyFrameInterval(const aclvencChannelDesc*) {
  return no_video_answer<uint32_t>(__func__);
}
OPKIT_ACL_EXPORT aclError aclvencSetChannelDescBufAddr(aclvencChannelDesc*, void*) {
  return no_video(__func__);
}
OPKIT_ACL_EXPORT void* aclvencGetChannelDescBufAddr(const aclvencChannelDesc*) {
  return no_video_answer<void*>(__func__);
}
OPKIT_ACL_EXPORT aclError aclvencSetChannelDescBufSize(aclvencChannelDesc*, uint32_t) {
  return no_video(__func__);
}
OPKIT_ACL_EXPORT uint32_t aclvencGetChannelDescBufSize(const aclvencChannelDesc*) {
  return no_video_answer<uint32_t>(__func__);
}
OPKIT_ACL_EXPORT aclError aclvencSetChannelDescRcMode(aclvencChannelDesc*, uint32_t) {
  return no_video(__func__);
}
OPKIT_ACL_EXPORT uint32_t aclvencGetChannelDescRcMode(const aclvencChannelDesc*) {
  return no_video_answer<uint32_t>(__func__);
}
OPKIT_ACL_EXPORT aclError aclvencSetChannelDescSrcRate(aclvencChannelDesc*, uint32_t) {
  return no_video(__func__);
}
OPKIT_ACL_EXPORT uint32_t aclvencGetChannelDescSrcRate(const aclvencChannelDesc*) {
  return no_video_answer<uint32_t>(__func__);
}
OPKIT_ACL_EXPORT aclError aclvencSetChannelDescMaxBitRate(aclvencChannelDesc*, uint32_t) {
  return no_video(__func__);
}
OPKIT_ACL_EXPORT uint32_t aclvencGetChannelDescMaxBitRate(const aclvencChannelDesc*) {
  return no_video_answer<uint32_t>(__func__);
}
OPKIT_ACL_EXPORT aclError aclvencCreateChannel(aclvencChannelDesc*) { return no_video(__func__); }
OPKIT_ACL_EXPORT aclError aclvencDestroyChannel(aclvencChannelDesc*) { return no_video(__func__); }
OPKIT_ACL_EXPORT aclvencFrameConfig* aclvencCreateFrameConfig(void) {
  return no_video_answer<aclvencFrameConfig*>(__func__);
}
OPKIT_ACL_EXPORT aclError aclvencDestroyFrameConfig(aclvencFrameConfig*) {
  return no_video(__func__);
}
OPKIT_ACL_EXPORT aclError aclvencSetFrameConfigForceIFrame(aclvencFrameConfig*, uint8_t) {
  return no_video(__func__);
}
OPKIT_ACL_EXPORT aclError aclvencSetFrameConfigEos(aclvencFrameConfig*, uint8_t) {
  return no_video(__func__);
}
OPKIT_ACL_EXPORT uint8_t aclvencGetFrameConfigForceIFrame(const aclvencFrameConfig*) {
  return no_video_answer<uint8_t>(__func__);
}
OPKIT_ACL_EXPORT uint8_t aclvencGetFrameConfigEos(const aclvencFrameConfig*) {
  return no_video_answer<uint8_t>(__func__);
}
OPKIT_ACL_EXPORT aclError aclvencSendFrame(aclvencChannelDesc*, acldvppPicDesc*, void*,
                                           aclvencFrameConfig*, void*) {
  return no_video(__func__);
}
