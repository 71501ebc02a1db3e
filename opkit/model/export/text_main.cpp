#include "opkit/model/export/texts.h"

namespace opkit::model_export {

const char* const kMainSource = R"source(// Runs the model on .npy files.
#include <cstdio>
#include <exception>
#include <filesystem>
#include <map>
#include <stdexcept>
#include <string>

#include "model.h"
#include "npy.h"

namespace {

struct Words {
  std::map<std::string, std::string> inputs, outputs;
  std::string weights;
};

std::string usage() {
  std::string text = "usage: model";
  for (const End& end : model_inputs()) text += " --input " + end.name + "=FILE.npy";
  for (const End& end : model_outputs()) text += " [--output " + end.name + "=FILE.npy]";
  return text + " [--weights weights.bin]";
}

void take_assignment(const std::string& word, const std::vector<End>& ends,
                     std::map<std::string, std::string>& files) {
  for (const End& end : ends) {
    if (word.compare(0, end.name.size() + 1, end.name + "=") != 0) continue;
    files[end.name] = word.substr(end.name.size() + 1);
    return;
  }
  throw std::runtime_error("the model has no end for '" + word + "'\n" + usage());
}

Words words_of(int count, char** words) {
  Words found;
  found.weights = (std::filesystem::path(words[0]).parent_path() / "weights.bin").string();
  for (int i = 1; i < count; ++i) {
    const std::string flag = words[i];
    if (i + 1 == count) throw std::runtime_error(usage());
    const std::string value = words[++i];
    if (flag == "--input")
      take_assignment(value, model_inputs(), found.inputs);
    else if (flag == "--output")
      take_assignment(value, model_outputs(), found.outputs);
    else if (flag == "--weights")
      found.weights = value;
    else
      throw std::runtime_error("there is no '" + flag + "'\n" + usage());
  }
  return found;
}

void run(const Words& words) {
  std::vector<std::vector<char>> inputs;
  for (const End& end : model_inputs()) {
    const auto file = words.inputs.find(end.name);
    if (file == words.inputs.end())
      throw std::runtime_error("the input '" + end.name + "' has no file\n" + usage());
    inputs.push_back(read_npy(file->second, end.form));
  }
  const auto outputs = Model(words.weights).run(inputs);
  for (size_t i = 0; i < outputs.size(); ++i) {
    const End& end = model_outputs()[i];
    const auto file = words.outputs.find(end.name);
    const std::string to =
        file == words.outputs.end() ? "output_" + std::to_string(i) + ".npy" : file->second;
    write_npy(to, end.form, outputs[i]);
    std::printf("%s: %s in %s\n", end.name.c_str(), end.form.text().c_str(), to.c_str());
  }
}

}  // namespace

int main(int count, char** words) {
  try {
    run(words_of(count, words));
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
  return 0;
}
)source";

const char* const kProjectFile = R"source(cmake_minimum_required(VERSION 3.16)
project(model CXX)

set(CMAKE_CXX_STANDARD 17)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release)
endif()
option(MODEL_NATIVE "Use the instructions of this machine" OFF)

add_executable(model main.cpp model.cpp npy.cpp)
target_compile_options(model PRIVATE -O3)
if(MODEL_NATIVE)
  target_compile_options(model PRIVATE -march=native)
endif()
configure_file(weights.bin weights.bin COPYONLY)
)source";

}  // namespace opkit::model_export
