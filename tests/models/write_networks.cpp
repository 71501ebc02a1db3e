// write_networks FOLDER: mobilenet.onnx, bert.onnx, yolov5.onnx, resnet50.onnx, resnet50_8.onnx
// (batch 8), to be compiled by hand.
#include <cstdio>
#include <filesystem>
#include <fstream>

#include "networks.h"

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fputs("usage: write_networks FOLDER\n", stderr);
    return 2;
  }
  const std::filesystem::path folder = argv[1];
  std::filesystem::create_directories(folder);
  const auto write = [&](const char* name, const std::string& bytes) {
    std::ofstream file(folder / name, std::ios::binary);
    file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    return file.good();
  };
  const bool done = write("mobilenet.onnx", opkit::models::mobilenet()) &&
                    write("bert.onnx", opkit::models::bert()) &&
                    write("yolov5.onnx", opkit::models::yolov5()) &&
                    write("resnet50.onnx", opkit::models::resnet50(1)) &&
                    write("resnet50_8.onnx", opkit::models::resnet50(8));
  if (!done) std::fprintf(stderr, "%s cannot be written\n", argv[1]);
  return done ? 0 : 1;
}
