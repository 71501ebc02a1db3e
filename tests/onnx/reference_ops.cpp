// reference_ops [file]: prints the coverage table, or writes it.
#include <cstdio>

#include "opkit/base/file.h"
#include "tests/onnx/coverage.h"

int main(int argc, char** argv) {
  const std::string text = opkit::onnx_tests::to_markdown(opkit::onnx_tests::measure());
  if (argc < 2) {
    std::fputs(text.c_str(), stdout);
    return 0;
  }
  const opkit::Status written = opkit::write_file(argv[1], text);
  if (!written.ok()) std::fprintf(stderr, "%s\n", written.error().to_string().c_str());
  return written.ok() ? 0 : 1;
}
