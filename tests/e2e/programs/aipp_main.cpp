// Runs a model with dynamic AIPP on images whose settings differ, beside scalar code:
// aipp_main dynamic.om static.om; both double what AIPP gives, of [2, 3, 4, 6].
#include <algorithm>
#include <string>

#include "loaded_model.h"
#include "misuse.h"

namespace {

constexpr int64_t kImages = 2, kChannels = 3, kHeight = 4, kWidth = 6, kMostBytes = 400;
int right = 0;

std::vector<uint8_t> Pixels() {
  std::vector<uint8_t> all(kMostBytes);
  for (size_t i = 0; i < all.size(); ++i) all[i] = static_cast<uint8_t>(i * 37 + 11);
  return all;
}

struct Frame {
  explicit Frame(const Model& model)
      : settings(std::vector<double>(aclmdlGetInputSizeByIndex(model.desc, 1) / 8)),
        y(std::vector<float>(kImages * kChannels * kHeight * kWidth, -1)) {
    in.Add(x.Get(), kMostBytes);
    in.Add(settings.Get(), aclmdlGetInputSizeByIndex(model.desc, 1));
    out.Add(y.Get(), aclmdlGetOutputSizeByIndex(model.desc, 0));
  }
  DeviceArray<uint8_t> x{Pixels()};
  DeviceArray<double> settings;
  DeviceArray<float> y;
  Dataset in, out;
};

struct Settings {
  Settings() { Must(aipp != nullptr, "aclmdlCreateAIPP"); }
  ~Settings() { Check(aclmdlDestroyAIPP(aipp), "aclmdlDestroyAIPP"); }
  aclmdlAIPP* aipp = aclmdlCreateAIPP(kImages);
};

// pixel(image, channel, y, x): twice that is expected.
template <typename Pixel>
void Expect(const char* what, const Model& model, Frame& frame, aclrtStream stream, Pixel pixel) {
  Check(aclmdlExecuteAsync(model.id, frame.in.set, frame.out.set, stream), what);
  Check(aclrtSynchronizeStream(stream), what);
  const std::vector<float> y = frame.y.Read();
  size_t i = 0;
  for (int64_t n = 0; n < kImages; ++n)
    for (int64_t c = 0; c < kChannels; ++c)
      for (int64_t h = 0; h < kHeight; ++h)
        for (int64_t w = 0; w < kWidth; ++w, ++i) {
          const float expected = 2 * static_cast<float>(pixel(n, c, h, w));
          if (y[i] == expected) continue;
          std::printf("%s: element %zu is %g, not %g\n", what, i, y[i], expected);
          std::exit(5);
        }
  ++right;
}

void RunRgb(const Model& model, Frame& frame, aclrtStream stream) {
  const Settings set;
  Check(aclmdlSetAIPPInputFormat(set.aipp, ACL_RGB888_U8), "format");
  Check(aclmdlSetAIPPSrcImageSize(set.aipp, kWidth, kHeight), "size");
  Check(aclmdlSetAIPPRbuvSwapSwitch(set.aipp, 1), "swap");
  Check(aclmdlSetAIPPDtcPixelMean(set.aipp, 10, 20, 30, 0, 1), "mean");
  Check(aclmdlSetAIPPDtcPixelMin(set.aipp, 0.5f, 0, 0, 0, 1), "min");
  Check(aclmdlSetAIPPPixelVarReci(set.aipp, 0.25f, 1, 1, 1, 1), "factor");
  Check(aclmdlSetInputAIPP(model.id, frame.in.set, 1, set.aipp), "aclmdlSetInputAIPP");
  const std::vector<uint8_t> pixels = Pixels();
  Expect("rgb", model, frame, stream, [&](int64_t n, int64_t c, int64_t h, int64_t w) {
    const double pixel = pixels[static_cast<size_t>(((n * kHeight + h) * kWidth + w) * 3 + 2 - c)];
    if (n == 0) return pixel;
    return (pixel - 10.0 * static_cast<double>(c + 1) - (c == 0 ? 0.5 : 0)) * (c == 0 ? 0.25 : 1);
  });
}

// Each image has another part of a larger one, and a margin.
void RunCropped(const Model& model, Frame& frame, aclrtStream stream) {
  const Settings set;
  Check(aclmdlSetAIPPInputFormat(set.aipp, ACL_RGB888_U8), "format");
  Check(aclmdlSetAIPPSrcImageSize(set.aipp, 8, 5), "size");
  for (int n = 0; n < kImages; ++n) {
    Check(aclmdlSetAIPPCropParams(set.aipp, 1, n, 2 * n, 5, 3, static_cast<uint64_t>(n)), "crop");
    Check(aclmdlSetAIPPPaddingParams(set.aipp, 1, 1, 0, 0, 1, static_cast<uint64_t>(n)), "pad");
  }
  Check(aclmdlSetAIPPByInputIndex(model.id, frame.in.set, 0, set.aipp),
        "aclmdlSetAIPPByInputIndex");
  const std::vector<uint8_t> pixels = Pixels();
  Expect("cropped", model, frame, stream, [&](int64_t n, int64_t c, int64_t h, int64_t w) {
    const bool margin = h == 0 || w == 5;
    const int64_t y = h - 1 + 2 * n, x = w + n;
    return margin ? 0 : pixels[static_cast<size_t>(((n * 5 + y) * 8 + x) * 3 + c)];
  });
}

void RunYuv(const Model& model, Frame& frame, aclrtStream stream) {
  const Settings set;
  Check(aclmdlSetAIPPInputFormat(set.aipp, ACL_YUV420SP_U8), "format");
  Check(aclmdlSetAIPPSrcImageSize(set.aipp, kWidth, kHeight), "size");
  Check(aclmdlSetAIPPCscParams(set.aipp, 1, 298, 516, 0, 298, -100, -208, 298, 0, 409, 0, 0, 0, 16,
                               128, 128),
        "colours");
  Check(aclmdlSetInputAIPP(model.id, frame.in.set, 1, set.aipp), "aclmdlSetInputAIPP");
  const std::vector<uint8_t> pixels = Pixels();
  const int matrix[3][3] = {{298, 516, 0}, {298, -100, -208}, {298, 0, 409}};
  Expect("yuv", model, frame, stream, [&](int64_t n, int64_t c, int64_t h, int64_t w) {
    const uint8_t* const image = &pixels[static_cast<size_t>(n * kHeight * kWidth / 2 * 3)];
    const uint8_t* const uv = image + (kHeight + h / 2) * kWidth + w / 2 * 2;
    const int sum = matrix[c][0] * (image[h * kWidth + w] - 16) + matrix[c][1] * (uv[0] - 128) +
                    matrix[c][2] * (uv[1] - 128);
    return std::clamp(sum >> 8, 0, 255);
  });
}

aclmdlInputAippType TypeOf(const Model& model, size_t input, size_t attached) {
  aclmdlInputAippType type;
  size_t other = 7;
  Check(aclmdlGetAippType(model.id, input, &type, &other), "aclmdlGetAippType");
  Must(other == attached, "attached input");
  return type;
}

void DescribeDynamic(const Model& model) {
  size_t index = 0, bytes = 0;
  Check(aclmdlGetInputIndexByName(model.desc, ACL_DYNAMIC_AIPP_NAME, &index), "settings' input");
  Must(index == 1 && aclmdlGetNumInputs(model.desc) == 2, "inputs");
  Must(TypeOf(model, 0, 1) == ACL_DATA_WITH_DYNAMIC_AIPP, "type of images");
  Must(TypeOf(model, 1, 0xFFFFFFFF) == ACL_DYNAMIC_AIPP_NODE, "type of settings");
  Check(aclmdlGetAippDataSize(kImages, &bytes), "aclmdlGetAippDataSize");
  Must(bytes == aclmdlGetInputSizeByIndex(model.desc, 1), "bytes of settings");
  Must(aclmdlGetInputSizeByIndex(model.desc, 0) == kMostBytes, "bytes of images");
  aclmdlIODims dims;
  Check(aclmdlGetInputDims(model.desc, 0, &dims), "aclmdlGetInputDims");
  Must(dims.dimCount == 4 && dims.dims[2] == kHeight && dims.dims[3] == kWidth, "dims");
  Check(aclmdlGetInputDimsV2(model.desc, 0, &dims), "aclmdlGetInputDimsV2");
  Must(dims.dimCount == 1 && dims.dims[0] == kMostBytes, "dims of the memory");
  aclAippInfo info;
  Check(aclmdlGetFirstAippInfo(model.id, 0, &info), "aclmdlGetFirstAippInfo");
  Must(info.srcFormat == ACL_FORMAT_NCHW && info.srcDatatype == ACL_FLOAT && info.srcDimNum == 4 &&
           info.shapeCount == 1 && info.outDims[0].aippOutSize == 2 * 3 * 4 * 6 * 4,
       "what the model takes");
  Refused("no AIPP", aclmdlGetFirstAippInfo(model.id, 1, &info), 100038, "takes no images");
}

void DescribeStatic(const Model& model) {
  Must(TypeOf(model, 0, 0xFFFFFFFF) == ACL_DATA_WITH_STATIC_AIPP, "static type");
  aclAippInfo info;
  Check(aclmdlGetFirstAippInfo(model.id, 0, &info), "aclmdlGetFirstAippInfo");
  Must(info.inputFormat == ACL_YUV420SP_U8 && info.srcImageSizeW == 6 && info.srcImageSizeH == 4 &&
           info.cscSwitch == 1 && info.matrixR0C1 == 516 && info.matrixR2C2 == 409 &&
           info.inputBias0 == 16 && info.meanChn1 == 7 && info.varReciChn2 == 0.5f &&
           info.cropSwitch == 0 && info.outDims[0].srcDims.dims[1] == 3,
       "settings");
  aclmdlIODims dims;
  Check(aclmdlGetInputDims(model.desc, 0, &dims), "aclmdlGetInputDims");
  Must(dims.dims[1] == kHeight && dims.dims[2] == kWidth && dims.dims[3] == 3, "image");
  Must(aclmdlGetInputFormat(model.desc, 0) == ACL_FORMAT_NHWC, "format of the image");
  Check(aclmdlGetInputDimsV2(model.desc, 0, &dims), "aclmdlGetInputDimsV2");
  Must(dims.dims[1] == kHeight / 2 * 3 && dims.dims[3] == 1, "memory");
}

void RefuseSettings() {
  const Settings set;
  aclmdlAIPP* const aipp = set.aipp;
  Must(aclmdlCreateAIPP(0) == nullptr, "settings for no image");
  ++misuses;
  Refused("format", aclmdlSetAIPPInputFormat(aipp, ACL_RAW10), 100000, "ACL_YUV420SP_U8");
  Refused("switch", aclmdlSetAIPPRbuvSwapSwitch(aipp, 2), 100000, "rbuvSwapSwitch 2");
  Refused("size", aclmdlSetAIPPSrcImageSize(aipp, 1, 4), 100000, "2 to 4096");
  Refused("image", aclmdlSetAIPPCropParams(aipp, 1, 0, 0, 4, 4, 2), 100000, "for 2 images");
  Refused("crop", aclmdlSetAIPPCropParams(aipp, 1, 0, 0, 0, 4, 0), 100000, "cropSize 0");
  Refused("pad", aclmdlSetAIPPPaddingParams(aipp, 1, 33, 0, 0, 0, 0), 100000, "0 to 32");
  Refused("mean", aclmdlSetAIPPDtcPixelMean(aipp, 0, 256, 0, 0, 0), 100000, "0 to 255");
  Refused("min", aclmdlSetAIPPDtcPixelMin(aipp, 0, -1, 0, 0, 0), 100000, "dtcPixelMinChn -1");
  Refused("factor", aclmdlSetAIPPPixelVarReci(aipp, 0, 7e4f, 0, 0, 0), 100000, "65504");
  Refused("resize", aclmdlSetAIPPScfParams(aipp, 1, 4, 4, 2, 2, 0), 200001, "does not resize");
  Check(aclmdlSetAIPPScfParams(aipp, 0, 0, 0, 0, 0, 0), "no resize");
  Refused("object", aclmdlSetAIPPAxSwapSwitch(nullptr, 1), 100000, "no aclmdlAIPP");
}

void RefuseUses(const Model& model, const Model& fixed, Frame& frame) {
  Refused("no settings", aclmdlExecute(model.id, frame.in.set, frame.out.set), 100017,
          "call aclmdlSetInputAIPP");
  const Settings set;
  aclmdlAIPP* const aipp = set.aipp;
  const auto give = [&] { return aclmdlSetInputAIPP(model.id, frame.in.set, 1, aipp); };
  Refused("no format", give(), 100000, "aclmdlSetAIPPInputFormat");
  Check(aclmdlSetAIPPInputFormat(aipp, ACL_RGB888_U8), "format");
  Refused("no size", give(), 100000, "aclmdlSetAIPPSrcImageSize");
  Check(aclmdlSetAIPPSrcImageSize(aipp, 7, 4), "size");
  Refused("size", give(), 100000, "becomes [2, 3, 4, 7], the model takes [2, 3, 4, 6]");
  Check(aclmdlSetAIPPSrcImageSize(aipp, 20, 20), "size");
  for (const uint64_t n : {0, 1}) Check(aclmdlSetAIPPCropParams(aipp, 1, 15, 0, 6, 4, n), "crop");
  Refused("crop", give(), 100000, "leaves the image of 20 x 20");
  for (const uint64_t n : {0, 1}) Check(aclmdlSetAIPPCropParams(aipp, 1, 4, 0, 6, 4, n), "crop");
  Refused("bytes", give(), 100000, "2400 bytes, the model was made for 400");
  Refused("index", aclmdlSetInputAIPP(model.id, frame.in.set, 0, aipp), 100000,
          "takes no settings");
  Refused("index", aclmdlSetAIPPByInputIndex(model.id, frame.in.set, 1, aipp), 100000,
          "no dynamic AIPP");
  Refused("static", aclmdlSetAIPPByInputIndex(fixed.id, frame.in.set, 0, aipp), 100000,
          "no dynamic AIPP");
  aclmdlAIPP* const one = aclmdlCreateAIPP(1);
  Check(aclmdlSetAIPPInputFormat(one, ACL_RGB888_U8), "format");
  Check(aclmdlSetAIPPSrcImageSize(one, 6, 4), "size");
  Refused("images", aclmdlSetInputAIPP(model.id, frame.in.set, 1, one), 100000,
          "settings of 1 images for a model that takes 2");
  Check(aclmdlDestroyAIPP(one), "aclmdlDestroyAIPP");
  Refused("destroyed", aclmdlSetInputAIPP(model.id, frame.in.set, 1, one), 107017, "was destroyed");
  Refused("still none", aclmdlExecute(model.id, frame.in.set, frame.out.set), 100017,
          "no settings");
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  const Session session;
  const Model model(argv[1]), fixed(argv[2]);
  DescribeDynamic(model);
  DescribeStatic(fixed);
  RefuseSettings();
  Frame frame(model);
  RefuseUses(model, fixed, frame);
  RunRgb(model, frame, session.stream);
  RunCropped(model, frame, session.stream);
  RunYuv(model, frame, session.stream);
  std::printf("%d images right, %d misuses\n", right, misuses);
  return 0;
}
