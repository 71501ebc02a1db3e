// Calls that some chips refuse; each one's code, and what it says.
#include "acl/ops/acl_dvpp.h"
#include "host.h"

namespace {

void Tell(const char* what, aclError code) {
  const char* const said = aclGetRecentErrMsg();
  std::printf("%s: %d %s\n", what, code, said ? said : "");
}

struct Picture {
  Picture(uint32_t width, uint32_t height, uint32_t stride, acldvppPixelFormat format) {
    const uint32_t bytes = stride * height * 3 / 2;
    Check(acldvppMalloc(&memory, bytes), "acldvppMalloc");
    Check(aclrtMemset(memory, bytes, 90, bytes), "aclrtMemset");
    Check(acldvppSetPicDescData(desc, memory), "data");
    Check(acldvppSetPicDescSize(desc, bytes), "size");
    Check(acldvppSetPicDescFormat(desc, format), "format");
    Check(acldvppSetPicDescWidth(desc, width), "width");
    Check(acldvppSetPicDescHeight(desc, height), "height");
    Check(acldvppSetPicDescWidthStride(desc, stride), "width stride");
    Check(acldvppSetPicDescHeightStride(desc, height), "height stride");
  }
  ~Picture() {
    Check(acldvppDestroyPicDesc(desc), "acldvppDestroyPicDesc");
    Check(acldvppFree(memory), "acldvppFree");
  }
  acldvppPicDesc* const desc = acldvppCreatePicDesc();
  void* memory = nullptr;
};

constexpr acldvppPixelFormat kNv12 = PIXEL_FORMAT_YUV_SEMIPLANAR_420;

struct Calls {
  aclError Resize(const Picture& from, const Picture& to, uint32_t filter) {
    Check(acldvppSetResizeConfigInterpolation(config, filter), "interpolation");
    return acldvppVpcResizeAsync(channel, from.desc, to.desc, config, stream);
  }
  void Filters(const Picture& from, const Picture& to) {
    Tell("filter 0", Resize(from, to, 0));
    Tell("filter 1", Resize(from, to, 1));
    Tell("filter 3", Resize(from, to, 3));
    Tell("filter 5", Resize(from, to, 5));
  }
  void Areas(const Picture& from, const Picture& to) {
    acldvppRoiConfig* const crop = acldvppCreateRoiConfig(3, 34, 5, 36);
    acldvppRoiConfig* const paste = acldvppCreateRoiConfig(16, 47, 0, 31);
    Tell("odd area", acldvppVpcCropAndPasteAsync(channel, from.desc, to.desc, crop, paste, stream));
    Check(acldvppSetRoiConfig(crop, 0, 31, 0, 31), "acldvppSetRoiConfig");
    Check(acldvppSetRoiConfig(paste, 8, 39, 0, 31), "acldvppSetRoiConfig");
    Tell("paste at 8",
         acldvppVpcCropAndPasteAsync(channel, from.desc, to.desc, crop, paste, stream));
    Check(acldvppDestroyRoiConfig(crop), "acldvppDestroyRoiConfig");
    Check(acldvppDestroyRoiConfig(paste), "acldvppDestroyRoiConfig");
  }
  void Border(const Picture& from, const Picture& to) {
    acldvppBorderConfig* const border = acldvppCreateBorderConfig();
    Check(acldvppSetBorderConfigLeft(border, 16), "left");
    Check(acldvppSetBorderConfigTop(border, 16), "top");
    Tell("border", acldvppVpcMakeBorderAsync(channel, from.desc, to.desc, border, stream));
    Check(acldvppDestroyBorderConfig(border), "acldvppDestroyBorderConfig");
  }
  acldvppChannelDesc* channel;
  acldvppResizeConfig* config;
  aclrtStream stream;
};

}  // namespace

int main() {
  Session session;
  acldvppChannelDesc* const channel = acldvppCreateChannelDesc();
  Tell("mode", acldvppSetChannelDescMode(channel, DVPP_CHNMODE_VPC));
  Check(acldvppCreateChannel(channel), "acldvppCreateChannel");
  acldvppJpegeConfig* const level = acldvppCreateJpegeConfig();
  Tell("level 0", acldvppSetJpegeConfigLevel(level, 0));
  Calls calls{channel, acldvppCreateResizeConfig(), session.stream};
  {
    const Picture large(64, 64, 64, kNv12), other(64, 64, 64, kNv12), larger(80, 80, 80, kNv12),
        small(32, 32, 32, kNv12), odd(70, 64, 70, kNv12), narrow(32, 32, 32, kNv12),
        wide(544, 32, 544, kNv12), gray(64, 64, 64, PIXEL_FORMAT_YUV_400);
    Tell("stride 70", calls.Resize(odd, small, 1));
    calls.Filters(large, small);
    calls.Areas(large, other);
    calls.Border(large, larger);
    Tell("17 times", calls.Resize(narrow, wide, 1));
    Tell("convert", acldvppVpcConvertColorAsync(channel, large.desc, gray.desc, session.stream));
    Check(aclrtSynchronizeStream(session.stream), "aclrtSynchronizeStream");
  }
  Check(acldvppDestroyJpegeConfig(level), "acldvppDestroyJpegeConfig");
  Check(acldvppDestroyResizeConfig(calls.config), "acldvppDestroyResizeConfig");
  Check(acldvppDestroyChannel(channel), "acldvppDestroyChannel");
  Check(acldvppDestroyChannelDesc(channel), "acldvppDestroyChannelDesc");
  return 0;
}
