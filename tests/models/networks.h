// Networks as PyTorch exports them, with random weights: ONNX models as bytes, always the same.
#ifndef OPKIT_TESTS_MODELS_NETWORKS_H_
#define OPKIT_TESTS_MODELS_NETWORKS_H_

#include <cstdint>
#include <string>

namespace opkit::models {

// In the manner of MobileNetV2: inverted residuals of depthwise convolutions, each followed by a
// normalization, ReLU6 as Clip. x [1, 3, 96, 96] -> y [1, 100].
std::string mobilenet();

// In the manner of BERT: embeddings, four layers, a pooler; LayerNormalization and GELU are spelled
// out. input_ids, attention_mask, token_type_ids [2, 32] -> hidden [2, 32, 128], pooled [2, 128].
std::string bert();

// In the manner of YOLOv5: Focus by slices, SiLU, C3 stages, SPPF, the neck's Resize and Concat,
// three heads whose boxes are decoded. images [1, 3, 128, 128] -> boxes [1, 1008, 8].
std::string yolov5();

// ResNet-50, whole. x [batch, 3, 224, 224] -> y [batch, 1000].
std::string resnet50(int64_t batch);

// The ONNX model with the first dim of its inputs and outputs left open, and kept by Reshape.
std::string with_open_batch(const std::string& bytes);

}  // namespace opkit::models

#endif  // OPKIT_TESTS_MODELS_NETWORKS_H_
