#include "opkit/rewrite/onnx/convert_version.h"

#include <fmt/format.h>
#include <onnx/checker.h>
#include <onnx/onnx_pb.h>
#include <onnx/version_converter/convert.h>

#include "opkit/rewrite/onnx/import_options.h"

namespace opkit::onnx_frontend {

Result<std::string> convert_version(std::string_view model, int opset) {
  const auto refused = [&](const std::string& why) {
    return Error(kBadOpset,
                 fmt::format("the model cannot be converted to opset {}: {}", opset, why),
                 "export it with opset 7 to 23");
  };
  onnx::ModelProto proto;
  if (!proto.ParseFromArray(model.data(), static_cast<int>(model.size())))
    return refused("it is no model");
  try {
    onnx::checker::check_model(proto);  // the converter relies on a well-formed model
    return onnx::version_conversion::ConvertVersion(proto, opset).SerializeAsString();
  } catch (const std::exception& problem) {
    return refused(problem.what());
  }
}

}  // namespace opkit::onnx_frontend
