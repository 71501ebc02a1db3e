#include "opkit/model/export/texts.h"

namespace opkit::model_export {

const char* const kMainSource = R"source(// Runs the model on .npy files.
#include <algorithm>
#include <chrono>
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
  bool loops = false;
  int repeat = 1;
};

std::string usage() {
  std::string text = "usage: model";
  for (const End& end : model_inputs()) text += " --input " + end.name + "=FILE.npy";
  for (const End& end : model_outputs()) text += " [--output " + end.name + "=FILE.npy]";
  return text + " [--weights weights.bin] [--loops] [--repeat N]";
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

int number_of(const std::string& word) {
  size_t end = 0;
  int number = 0;
  try {
    number = std::stoi(word, &end);
  } catch (const std::exception&) {
  }
  if (end == word.size() && number > 0) return number;
  throw std::runtime_error("'" + word + "' is no number of runs\n" + usage());
}

Words words_of(int count, char** words) {
  Words found;
  found.weights = (std::filesystem::path(words[0]).parent_path() / "weights.bin").string();
  for (int i = 1; i < count; ++i) {
    const std::string flag = words[i];
    if (flag == "--loops") {
      found.loops = true;
      continue;
    }
    if (i + 1 == count) throw std::runtime_error(usage());
    const std::string value = words[++i];
    if (flag == "--input")
      take_assignment(value, model_inputs(), found.inputs);
    else if (flag == "--output")
      take_assignment(value, model_outputs(), found.outputs);
    else if (flag == "--weights")
      found.weights = value;
    else if (flag == "--repeat")
      found.repeat = number_of(value);
    else
      throw std::runtime_error("there is no '" + flag + "'\n" + usage());
  }
  return found;
}

// Tells the median time of further runs.
void tell_time(Model& model, const std::vector<std::vector<char>>& inputs, int runs) {
  std::vector<double> times;
  for (int i = 0; i < runs; ++i) {
    const auto start = std::chrono::steady_clock::now();
    model.run(inputs);
    const std::chrono::duration<double, std::milli> time = std::chrono::steady_clock::now() - start;
    times.push_back(time.count());
  }
  std::sort(times.begin(), times.end());
  std::printf("median of %d runs: %.3f ms\n", runs, times[times.size() / 2]);
}

void run(const Words& words) {
  std::vector<std::vector<char>> inputs;
  for (const End& end : model_inputs()) {
    const auto file = words.inputs.find(end.name);
    if (file == words.inputs.end())
      throw std::runtime_error("the input '" + end.name + "' has no file\n" + usage());
    inputs.push_back(read_npy(file->second, end.form));
  }
  Model model(words.weights, words.loops);
  const auto outputs = model.run(inputs);
  if (words.repeat > 1) tell_time(model, inputs, words.repeat);
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

const char* const kProjectFile = R"source(cmake_minimum_required(VERSION 3.18)
project(model CXX)

set(CMAKE_CXX_STANDARD 17)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release)
endif()
option(MODEL_NATIVE "Use the instructions of this machine" OFF)

option(MODEL_ONEDNN "Compute on oneDNN 2 where it has the primitives" OFF)

add_executable(model main.cpp model.cpp npy.cpp)
target_compile_options(model PRIVATE -O3)
if(MODEL_NATIVE)
  target_compile_options(model PRIVATE -march=native)
endif()
if(MODEL_ONEDNN)
  find_path(DNNL_INCLUDE oneapi/dnnl/dnnl.hpp REQUIRED)
  find_library(DNNL_LIBRARY dnnl REQUIRED)
  target_sources(model PRIVATE onednn_layouts.cpp onednn_steps.cpp)
  target_include_directories(model SYSTEM PRIVATE ${DNNL_INCLUDE})
  target_link_libraries(model PRIVATE ${DNNL_LIBRARY})
  target_compile_definitions(model PRIVATE MODEL_ONEDNN)
endif()
configure_file(weights.bin weights.bin COPYONLY)
)source";

}  // namespace opkit::model_export
