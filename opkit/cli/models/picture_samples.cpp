#include "opkit/cli/models/picture_samples.h"

#include <fmt/format.h>

#include <algorithm>

#include "opkit/acl/media/image/jpeg.h"
#include "opkit/acl/media/image/png.h"
#include "opkit/acl/media/image/transform.h"
#include "opkit/atc/compile/aipp.h"
#include "opkit/base/file.h"
#include "opkit/quantize/codes.h"
#include "opkit/reference/evaluate.h"
#include "opkit/reference/infer.h"

namespace opkit::cli {
namespace {

namespace fs = std::filesystem;
using graph::Graph;
using graph::RefTensor;
using image::Planes;
using quantize::Samples;
using quantize::Wanted;

constexpr size_t kMostBytes = size_t{1} << 28;  // limits a file

bool is_png(std::string_view bytes) { return bytes.starts_with("\x89PNG"); }

Result<std::vector<fs::path>> files_of(const fs::path& path) {
  std::error_code code;
  std::vector<fs::path> files;
  if (!fs::is_directory(path, code)) {
    files.push_back(path);
  } else {
    for (const auto& entry : fs::directory_iterator(path, code))
      if (entry.is_regular_file()) files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  if (!files.empty()) return files;
  return Error(quantize::kNoData, fmt::format("the folder {} has no pictures", path.string()),
               "give a folder of .jpg and .png files");
}

Result<Planes> decoded_png(std::string_view bytes) {
  OPKIT_TRY(const image::PngHeader header, image::read_png_header(bytes));
  const auto* layout = image::layout_of(static_cast<int32_t>(
      image::has_alpha(header.color) ? image::PixelFormat::kRgba : image::PixelFormat::kRgb));
  const uint32_t row = header.width * layout->row_bytes;
  std::vector<uint8_t> memory(size_t{row} * header.height);
  const image::Picture picture{layout, header.width,  header.height,
                               row,    header.height, memory.data()};
  OPKIT_CHECK(image::decode_png(bytes, picture));
  return image::load(picture, {0, 0, header.width, header.height});
}

Result<Planes> decoded(std::string_view bytes) {
  if (is_png(bytes)) return decoded_png(bytes);
  OPKIT_TRY(const image::JpegHeader header, image::read_jpeg_header(bytes));
  OPKIT_TRY(Planes planes, image::decode_jpeg(bytes));
  return image::upright(std::move(planes), header.orientation);
}

// Brightness in the first plane, or R, G and B.
Planes in_family(Planes planes, bool gray) {
  constexpr auto kStandard = image::ColorStandard::kBt601Wide;
  if (gray && planes.family == image::ColorFamily::kRgb)
    image::convert(planes, image::ColorFamily::kYuv, kStandard);
  if (gray) return planes;
  const auto* rgb = image::layout_of(static_cast<int32_t>(image::PixelFormat::kRgb));
  const uint32_t width = planes.width(), height = planes.height();
  return image::fitted(std::move(planes), *rgb, width, height, image::Filter::kBilinear, kStandard);
}

// Returns the bytes of a picture in NHWC.
RefTensor pixels_of(Planes decoded, bool gray) {
  const Planes planes = in_family(std::move(decoded), gray);
  const size_t channels = gray ? 1 : 3;
  RefTensor pixels{
      DType::kUInt8, Shape{1, planes.height(), planes.width(), static_cast<int64_t>(channels)}, {}};
  for (size_t i = 0; i < planes.planes[0].samples.size(); ++i) {
    for (size_t c = 0; c < channels; ++c) pixels.values.push_back(planes.planes[c].samples[i]);
  }
  return pixels;
}

// A model that gives what it takes, behind AIPP: from a picture to the input of the real one.
struct InFront {
  Graph graph;
  bool gray = false;
};

Result<InFront> in_front_of(const Wanted& input, const fs::path& settings) {
  OPKIT_TRY(const std::string text, read_file(settings, size_t{1} << 22));
  OPKIT_TRY(const auto all, compile::parse_aipp(text, settings.string()));
  const bool fits = all.size() == 1 && !all[0].dynamic &&
                    (all[0].aipp.format == model::Aipp::Format::kRgb ||
                     all[0].aipp.format == model::Aipp::Format::kGray);
  if (!fits)
    return Error("E10001",
                 fmt::format("value [{}] for parameter [--aipp] is invalid. Reason: it is not one "
                             "aipp_op of static AIPP for RGB888_U8 or YUV400_U8",
                             settings.string()),
                 "aipp_op { aipp_mode: static  input_format: RGB888_U8 }");
  InFront made{{}, all[0].aipp.format == model::Aipp::Format::kGray};
  made.graph.name = "pictures";
  made.graph.add_input(input.name, input.dtype, input.shape);
  made.graph.nodes.push_back({"Identity", {input.name}, {"opkit:picture"}, {}});
  made.graph.outputs = {"opkit:picture"};
  OPKIT_CHECK(reference::infer(made.graph));
  OPKIT_TRY([[maybe_unused]] const auto inserted,
            compile::insert_aipp(made.graph, all, model::GearKind::kNone));
  OPKIT_CHECK(reference::infer(made.graph));
  return made;
}

Error other_size(const fs::path& file, const Shape& is, const Shape& wanted) {
  return Error(quantize::kDataMisfit,
               fmt::format("the picture {} has {} x {} pixels, and AIPP takes {} x {}",
                           file.string(), is[2], is[1], wanted[2], wanted[1]),
               "resize it, or state src_image_size_w, src_image_size_h and a crop");
}

Result<Tensor> sample_of(const InFront& front, const fs::path& file) {
  OPKIT_TRY(const std::string bytes, read_file(file, kMostBytes));
  auto planes = decoded(bytes);
  if (!planes.ok()) return std::move(planes).error().with("file " + file.string());
  RefTensor pixels = pixels_of(std::move(*planes), front.gray);
  const std::string& input = front.graph.inputs[0];
  const Shape& wanted = *front.graph.values.at(input).shape;
  if (!(pixels.shape == wanted)) return other_size(file, pixels.shape, wanted);
  OPKIT_TRY(const auto values, reference::evaluate(front.graph, {{input, std::move(pixels)}}));
  return reference::to_tensor(values.at(front.graph.outputs[0]));
}

}  // namespace

Result<Samples> picture_samples(const fs::path& pictures, const fs::path& settings,
                                const std::vector<Wanted>& inputs) {
  if (inputs.size() != 1 || inputs[0].shape.rank() != 4 || inputs[0].shape[0] != 1)
    return Error(quantize::kDataMisfit,
                 "pictures are for models with one input, of one image: [1, C, H, W]",
                 "give .npz files for other models, or --input_shape with a batch of 1");
  OPKIT_TRY(const std::vector<fs::path> files, files_of(pictures));
  OPKIT_TRY(const InFront front, in_front_of(inputs[0], settings));
  std::vector<Samples::NamedArray> arrays;
  for (const fs::path& file : files) {
    OPKIT_TRY(Tensor sample, sample_of(front, file));
    arrays.push_back({inputs[0].name, file.string(), std::move(sample)});
  }
  return Samples::of(std::move(arrays));
}

}  // namespace opkit::cli
