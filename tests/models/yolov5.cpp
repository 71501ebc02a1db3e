#include <limits>

#include "network_writer.h"
#include "networks.h"

namespace opkit::models {
namespace {

using W = NetworkWriter;

constexpr int64_t kSide = 128, kClasses = 3, kAnchors = 3, kFields = 5 + kClasses;

class Yolo {
 public:
  std::string write() {
    std::string x = net_.input("images", onnx::TensorProto::FLOAT, {1, 3, kSide, kSide});
    x = c3(conv(conv(focus(x), 12, 16, 3, 1), 16, 32, 3, 2), 32, 32, 1, true);
    const std::string p3 = c3(conv(x, 32, 64, 3, 2), 64, 64, 2, true);
    const std::string p4 = c3(conv(p3, 64, 96, 3, 2), 96, 96, 1, true);
    const std::string p5 = sppf(c3(conv(p4, 96, 128, 3, 2), 128, 128, 1, true), 128);

    const std::string top = conv(p5, 128, 96, 1, 1);
    const std::string middle = conv(c3(joined(twice(top), p4), 192, 96, 1, false), 96, 64, 1, 1);
    const std::string small = c3(joined(twice(middle), p3), 128, 64, 1, false);
    const std::string medium = c3(joined(conv(small, 64, 64, 3, 2), middle), 128, 96, 1, false);
    const std::string large = c3(joined(conv(medium, 96, 96, 3, 2), top), 192, 128, 1, false);

    const std::string boxes = net_.node("Concat",
                                        {head(small, 64, 8, {10, 13, 16, 30, 33, 23}),
                                         head(medium, 96, 16, {30, 61, 62, 45, 59, 119}),
                                         head(large, 128, 32, {116, 90, 156, 198, 373, 326})},
                                        {W::one("axis", 1)});
    net_.rename(boxes, "boxes");
    net_.output("boxes", {1, 1008, kFields});
    return net_.bytes();
  }

 private:
  // Every second pixel of both directions, from four places, as channels.
  std::string focus(const std::string& x) {
    const int64_t end = std::numeric_limits<int64_t>::max();
    const auto every_second = [&](const std::string& of, int64_t start, int64_t axis) {
      return net_.node("Slice", {of, net_.integers({start}), net_.integers({end}),
                                 net_.integers({axis}), net_.integers({2})});
    };
    Names parts;
    for (const int64_t column : {0, 1}) {
      for (const int64_t row : {0, 1})
        parts.push_back(every_second(every_second(x, row, 2), column, 3));
    }
    return net_.node("Concat", parts, {W::one("axis", 1)});
  }
  std::string convolution(const std::string& x, int64_t in, int64_t out, int64_t size,
                          int64_t stride) {
    const int64_t pad = size / 2;
    return net_.node(
        "Conv",
        {x, net_.kernel({out, in, size, size}, in * size * size), net_.weight({out}, -0.2f, 0.2f)},
        {W::list("dilations", {1, 1}), W::one("group", 1), W::list("kernel_shape", {size, size}),
         W::list("pads", {pad, pad, pad, pad}), W::list("strides", {stride, stride})});
  }
  // With SiLU.
  std::string conv(const std::string& x, int64_t in, int64_t out, int64_t size, int64_t stride) {
    const std::string y = convolution(x, in, out, size, stride);
    return net_.node("Mul", {y, net_.node("Sigmoid", {y})});
  }
  std::string joined(const std::string& a, const std::string& b) {
    return net_.node("Concat", {a, b}, {W::one("axis", 1)});
  }
  std::string twice(const std::string& x) {
    return net_.node("Resize", {x, "", net_.numbers({4}, {1, 1, 2, 2})},
                     {W::text("coordinate_transformation_mode", "asymmetric"),
                      W::text("mode", "nearest"), W::text("nearest_mode", "floor")});
  }
  std::string c3(const std::string& x, int64_t in, int64_t out, int blocks, bool shortcut) {
    const int64_t half = out / 2;
    std::string y = conv(x, in, half, 1, 1);
    for (int i = 0; i < blocks; ++i) {
      const std::string z = conv(conv(y, half, half, 1, 1), half, half, 3, 1);
      y = shortcut ? net_.node("Add", {y, z}) : z;
    }
    return conv(joined(y, conv(x, in, half, 1, 1)), out, out, 1, 1);
  }
  std::string sppf(const std::string& x, int64_t width) {
    Names parts = {conv(x, width, width / 2, 1, 1)};
    for (int i = 0; i < 3; ++i)
      parts.push_back(net_.node("MaxPool", {parts.back()},
                                {W::one("ceil_mode", 0), W::list("kernel_shape", {5, 5}),
                                 W::list("pads", {2, 2, 2, 2}), W::list("strides", {1, 1})}));
    return conv(net_.node("Concat", parts, {W::one("axis", 1)}), 2 * width, width, 1, 1);
  }
  // Boxes of all anchors in pixels: [1, anchors * side * side, fields].
  std::string head(const std::string& x, int64_t width, int64_t stride,
                   const std::vector<float>& anchors) {
    const int64_t side = kSide / stride;
    const std::string raw = convolution(x, width, kAnchors * kFields, 1, 1);
    const std::string apart =
        net_.node("Reshape", {raw, net_.integers({1, kAnchors, kFields, side, side})});
    const std::string last = net_.node("Transpose", {apart}, {W::list("perm", {0, 1, 3, 4, 2})});
    const Names parts =
        net_.nodes("Split", {net_.node("Sigmoid", {last}), net_.integers({2, 2, kFields - 4})}, 3,
                   {W::one("axis", 4)});
    const std::string boxes =
        net_.node("Concat", {places(parts[0], side, stride), sizes(parts[1], anchors), parts[2]},
                  {W::one("axis", 4)});
    return net_.node("Reshape", {boxes, net_.integers({1, -1, kFields})});
  }
  // (2 p + cell) * stride
  std::string places(const std::string& p, int64_t side, int64_t stride) {
    std::vector<float> cells;
    for (int64_t row = 0; row < side; ++row) {
      for (int64_t column = 0; column < side; ++column) {
        cells.push_back(static_cast<float>(column) - 0.5f);
        cells.push_back(static_cast<float>(row) - 0.5f);
      }
    }
    const std::string doubled = net_.node("Mul", {p, net_.number(2)});
    const std::string moved =
        net_.node("Add", {doubled, net_.numbers({1, 1, side, side, 2}, cells)});
    return net_.node("Mul", {moved, net_.number(static_cast<float>(stride))});
  }
  // (2 s)^2 * anchor
  std::string sizes(const std::string& s, const std::vector<float>& anchors) {
    const std::string doubled = net_.node("Mul", {s, net_.number(2)});
    const std::string squared = net_.node("Pow", {doubled, net_.number(2)});
    return net_.node("Mul", {squared, net_.numbers({1, kAnchors, 1, 1, 2}, anchors)});
  }

  NetworkWriter net_{"yolov5", 13, 23};
};

}  // namespace

std::string yolov5() { return Yolo().write(); }

}  // namespace opkit::models
