#include "dvpp_process.h"

#include <fstream>
#include <iterator>
#include <vector>

namespace {
uint32_t AlignUp(uint32_t value, uint32_t unit) { return (value + unit - 1) / unit * unit; }
}  // namespace

DvppProcess::DvppProcess(aclrtStream stream, uint32_t modelWidth, uint32_t modelHeight)
    : stream_(stream), modelWidth_(modelWidth), modelHeight_(modelHeight) {
  channel_ = acldvppCreateChannelDesc();
  Check(channel_ ? ACL_SUCCESS : 1, "acldvppCreateChannelDesc");
  Check(acldvppCreateChannel(channel_), "acldvppCreateChannel");
  config_ = acldvppCreateResizeConfig();
  resizedSize_ = AlignUp(modelWidth, 16) * AlignUp(modelHeight, 2) * 3 / 2;
  Check(acldvppMalloc(&resizedBuffer_, resizedSize_), "acldvppMalloc");
}

DvppProcess::~DvppProcess() {
  Check(acldvppFree(resizedBuffer_), "acldvppFree");
  Check(acldvppDestroyResizeConfig(config_), "acldvppDestroyResizeConfig");
  Check(acldvppDestroyChannel(channel_), "acldvppDestroyChannel");
  Check(acldvppDestroyChannelDesc(channel_), "acldvppDestroyChannelDesc");
}

void* DvppProcess::LoadToDevice(const std::string& file, uint32_t& size) {
  std::ifstream stream(file.c_str(), std::ios::binary);
  const std::vector<char> bytes((std::istreambuf_iterator<char>(stream)),
                                std::istreambuf_iterator<char>());
  size = static_cast<uint32_t>(bytes.size());
  uint32_t width = 0, height = 0;
  int32_t components = 0;
  Check(acldvppJpegGetImageInfo(bytes.data(), size, &width, &height, &components),
        "acldvppJpegGetImageInfo");
  std::printf("%s: %u x %u, %d components\n", file.c_str(), width, height, components);
  Check(
      acldvppJpegPredictDecSize(bytes.data(), size, PIXEL_FORMAT_YUV_SEMIPLANAR_420, &decodedSize_),
      "acldvppJpegPredictDecSize");
  void* device = nullptr;
  Check(acldvppMalloc(&device, size), "acldvppMalloc");
  Check(aclrtMemcpy(device, size, bytes.data(), size, ACL_MEMCPY_HOST_TO_DEVICE), "aclrtMemcpy");
  return device;
}

void DvppProcess::Decode(void* file, uint32_t size) {
  Check(acldvppMalloc(&decodedBuffer_, decodedSize_), "acldvppMalloc");
  decoded_ = acldvppCreatePicDesc();
  acldvppSetPicDescData(decoded_, decodedBuffer_);
  acldvppSetPicDescSize(decoded_, decodedSize_);
  acldvppSetPicDescFormat(decoded_, PIXEL_FORMAT_YUV_SEMIPLANAR_420);
  Check(acldvppJpegDecodeAsync(channel_, file, size, decoded_, stream_), "acldvppJpegDecodeAsync");
  Check(aclrtSynchronizeStream(stream_), "aclrtSynchronizeStream");
  std::printf("decoded: %u x %u\n", acldvppGetPicDescWidth(decoded_),
              acldvppGetPicDescHeight(decoded_));
}

void DvppProcess::Resize() {
  acldvppPicDesc* const output = acldvppCreatePicDesc();
  acldvppSetPicDescData(output, resizedBuffer_);
  acldvppSetPicDescSize(output, resizedSize_);
  acldvppSetPicDescFormat(output, PIXEL_FORMAT_YUV_SEMIPLANAR_420);
  acldvppSetPicDescWidth(output, modelWidth_);
  acldvppSetPicDescHeight(output, modelHeight_);
  acldvppSetPicDescWidthStride(output, AlignUp(modelWidth_, 16));
  acldvppSetPicDescHeightStride(output, AlignUp(modelHeight_, 2));
  Check(acldvppVpcResizeAsync(channel_, decoded_, output, config_, stream_),
        "acldvppVpcResizeAsync");
  Check(aclrtSynchronizeStream(stream_), "aclrtSynchronizeStream");
  acldvppDestroyPicDesc(output);
}

void DvppProcess::Process(const std::string& file) {
  uint32_t size = 0;
  void* const device = LoadToDevice(file, size);
  Decode(device, size);
  Resize();
  acldvppDestroyPicDesc(decoded_);
  acldvppFree(decodedBuffer_);
  acldvppFree(device);
}
