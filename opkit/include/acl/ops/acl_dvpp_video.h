// Video, which is not emulated: every call answers 200001 (or NULL, 0) and says what to do.
// Programs that use it beside pictures compile, link and run their other parts. A part of
// acl_dvpp.h. (Vendor's pages "aclvdecSetChannelDesc", "aclvencSetChannelDesc" and their
// neighbours.)
#ifndef OPKIT_INCLUDE_ACL_OPS_ACL_DVPP_VIDEO_H_
#define OPKIT_INCLUDE_ACL_OPS_ACL_DVPP_VIDEO_H_

#include "acl/ops/acl_dvpp_picture.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct acldvppStreamDesc acldvppStreamDesc;
typedef struct aclvdecChannelDesc aclvdecChannelDesc;
typedef struct aclvdecFrameConfig aclvdecFrameConfig;
typedef struct aclvencChannelDesc aclvencChannelDesc;
typedef struct aclvencFrameConfig aclvencFrameConfig;
typedef void (*aclvdecCallback)(acldvppStreamDesc* input, acldvppPicDesc* output, void* userData);
typedef void (*aclvencCallback)(acldvppPicDesc* input, acldvppStreamDesc* output, void* userdata);
enum acldvppStreamFormat {
  H265_MAIN_LEVEL = 0,
  H264_BASELINE_LEVEL = 1,
  H264_MAIN_LEVEL = 2,
  H264_HIGH_LEVEL = 3
};
#ifndef __cplusplus
typedef enum acldvppStreamFormat acldvppStreamFormat;
#endif

acldvppStreamDesc* acldvppCreateStreamDesc(void);
aclError acldvppDestroyStreamDesc(const acldvppStreamDesc* streamDesc);
aclError acldvppSetStreamDescData(acldvppStreamDesc* streamDesc, void* dataDev);
void* acldvppGetStreamDescData(const acldvppStreamDesc* streamDesc);
aclError acldvppSetStreamDescSize(acldvppStreamDesc* streamDesc, uint32_t size);
uint32_t acldvppGetStreamDescSize(const acldvppStreamDesc* streamDesc);
aclError acldvppSetStreamDescFormat(acldvppStreamDesc* streamDesc, acldvppStreamFormat format);
acldvppStreamFormat acldvppGetStreamDescFormat(const acldvppStreamDesc* streamDesc);
aclError acldvppSetStreamDescTimestamp(acldvppStreamDesc* streamDesc, uint64_t timestamp);
uint64_t acldvppGetStreamDescTimestamp(const acldvppStreamDesc* streamDesc);
aclError acldvppSetStreamDescRetCode(acldvppStreamDesc* streamDesc, uint32_t retCode);
uint32_t acldvppGetStreamDescRetCode(const acldvppStreamDesc* streamDesc);
aclError acldvppSetStreamDescEos(acldvppStreamDesc* streamDesc, uint8_t eos);
uint8_t acldvppGetStreamDescEos(const acldvppStreamDesc* streamDesc);
aclvdecChannelDesc* aclvdecCreateChannelDesc(void);
aclError aclvdecDestroyChannelDesc(aclvdecChannelDesc* channelDesc);
aclError aclvdecSetChannelDescChannelId(aclvdecChannelDesc* channelDesc, uint32_t channelId);
uint32_t aclvdecGetChannelDescChannelId(const aclvdecChannelDesc* channelDesc);
aclError aclvdecSetChannelDescThreadId(aclvdecChannelDesc* channelDesc, uint64_t threadId);
uint64_t aclvdecGetChannelDescThreadId(const aclvdecChannelDesc* channelDesc);
aclError aclvdecSetChannelDescCallback(aclvdecChannelDesc* channelDesc, aclvdecCallback callback);
aclvdecCallback aclvdecGetChannelDescCallback(const aclvdecChannelDesc* channelDesc);
aclError aclvdecSetChannelDescEnType(aclvdecChannelDesc* channelDesc, acldvppStreamFormat enType);
acldvppStreamFormat aclvdecGetChannelDescEnType(const aclvdecChannelDesc* channelDesc);
aclError aclvdecSetChannelDescOutPicFormat(aclvdecChannelDesc* channelDesc,
                                           acldvppPixelFormat outPicFormat);
acldvppPixelFormat aclvdecGetChannelDescOutPicFormat(const aclvdecChannelDesc* channelDesc);
aclError aclvdecSetChannelDescOutPicWidth(aclvdecChannelDesc* channelDesc, uint32_t outPicWidth);
uint32_t aclvdecGetChannelDescOutPicWidth(const aclvdecChannelDesc* channelDesc);
aclError aclvdecSetChannelDescOutPicHeight(aclvdecChannelDesc* channelDesc, uint32_t outPicHeight);
uint32_t aclvdecGetChannelDescOutPicHeight(const aclvdecChannelDesc* channelDesc);
aclError aclvdecSetChannelDescRefFrameNum(aclvdecChannelDesc* channelDesc, uint32_t refFrameNum);
uint32_t aclvdecGetChannelDescRefFrameNum(const aclvdecChannelDesc* channelDesc);
aclError aclvdecSetChannelDescOutMode(aclvdecChannelDesc* channelDesc, uint32_t outMode);
uint32_t aclvdecGetChannelDescOutMode(const aclvdecChannelDesc* channelDesc);
aclError aclvdecSetChannelDescBitDepth(aclvdecChannelDesc* channelDesc, uint32_t bitDepth);
uint32_t aclvdecGetChannelDescBitDepth(const aclvdecChannelDesc* channelDesc);
aclError aclvdecCreateChannel(aclvdecChannelDesc* channelDesc);
aclError aclvdecDestroyChannel(aclvdecChannelDesc* channelDesc);
aclvdecFrameConfig* aclvdecCreateFrameConfig(void);
aclError aclvdecDestroyFrameConfig(aclvdecFrameConfig* vdecFrameConfig);
aclError aclvdecSendFrame(aclvdecChannelDesc* channelDesc, acldvppStreamDesc* input,
                          acldvppPicDesc* output, aclvdecFrameConfig* config, void* userData);
aclError aclvdecSendSkippedFrame(aclvdecChannelDesc* channelDesc, acldvppStreamDesc* input,
                                 aclvdecFrameConfig* config, void* userData);
aclvencChannelDesc* aclvencCreateChannelDesc(void);
aclError aclvencDestroyChannelDesc(aclvencChannelDesc* channelDesc);
aclError aclvencSetChannelDescThreadId(aclvencChannelDesc* channelDesc, uint64_t threadId);
uint64_t aclvencGetChannelDescThreadId(const aclvencChannelDesc* channelDesc);
aclError aclvencSetChannelDescCallback(aclvencChannelDesc* channelDesc, aclvencCallback callback);
aclvencCallback aclvencGetChannelDescCallback(const aclvencChannelDesc* channelDesc);
aclError aclvencSetChannelDescEnType(aclvencChannelDesc* channelDesc, acldvppStreamFormat enType);
acldvppStreamFormat aclvencGetChannelDescEnType(const aclvencChannelDesc* channelDesc);
aclError aclvencSetChannelDescPicFormat(aclvencChannelDesc* channelDesc,
                                        acldvppPixelFormat picFormat);
acldvppPixelFormat aclvencGetChannelDescPicFormat(const aclvencChannelDesc* channelDesc);
aclError aclvencSetChannelDescPicWidth(aclvencChannelDesc* channelDesc, uint32_t picWidth);
uint32_t aclvencGetChannelDescPicWidth(const aclvencChannelDesc* channelDesc);
aclError aclvencSetChannelDescPicHeight(aclvencChannelDesc* channelDesc, uint32_t picHeight);
uint32_t aclvencGetChannelDescPicHeight(const aclvencChannelDesc* channelDesc);
aclError aclvencSetChannelDescKeyFrameInterval(aclvencChannelDesc* channelDesc,
                                               uint32_t keyFrameInterval);
uint32_t aclvencGetChannelDescKeyFrameInterval(const aclvencChannelDesc* channelDesc);
aclError aclvencSetChannelDescBufAddr(aclvencChannelDesc* channelDesc, void* bufAddr);
void* aclvencGetChannelDescBufAddr(const aclvencChannelDesc* channelDesc);
aclError aclvencSetChannelDescBufSize(aclvencChannelDesc* channelDesc, uint32_t bufSize);
uint32_t aclvencGetChannelDescBufSize(const aclvencChannelDesc* channelDesc);
aclError aclvencSetChannelDescRcMode(aclvencChannelDesc* channelDesc, uint32_t rcMode);
uint32_t aclvencGetChannelDescRcMode(const aclvencChannelDesc* channelDesc);
aclError aclvencSetChannelDescSrcRate(aclvencChannelDesc* channelDesc, uint32_t srcRate);
uint32_t aclvencGetChannelDescSrcRate(const aclvencChannelDesc* channelDesc);
aclError aclvencSetChannelDescMaxBitRate(aclvencChannelDesc* channelDesc, uint32_t maxBitRate);
uint32_t aclvencGetChannelDescMaxBitRate(const aclvencChannelDesc* channelDesc);
aclError aclvencCreateChannel(aclvencChannelDesc* channelDesc);
aclError aclvencDestroyChannel(aclvencChannelDesc* channelDesc);
aclvencFrameConfig* aclvencCreateFrameConfig(void);
aclError aclvencDestroyFrameConfig(aclvencFrameConfig* config);
aclError aclvencSetFrameConfigForceIFrame(aclvencFrameConfig* config, uint8_t forceIFrame);
aclError aclvencSetFrameConfigEos(aclvencFrameConfig* config, uint8_t eos);
uint8_t aclvencGetFrameConfigForceIFrame(const aclvencFrameConfig* config);
uint8_t aclvencGetFrameConfigEos(const aclvencFrameConfig* config);
aclError aclvencSendFrame(aclvencChannelDesc* channelDesc, acldvppPicDesc* input, void* reserve,
                          aclvencFrameConfig* config, void* userdata);

#ifdef __cplusplus
}
#endif

#endif  // OPKIT_INCLUDE_ACL_OPS_ACL_DVPP_VIDEO_H_
