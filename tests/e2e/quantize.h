// What tests of opkit quantize share: a classifier and pictures for it.
#ifndef OPKIT_TESTS_E2E_QUANTIZE_H_
#define OPKIT_TESTS_E2E_QUANTIZE_H_

#include <string>
#include <vector>

#include "classifier_net.h"
#include "npy.h"
#include "run_opkit.h"

namespace opkit::e2e {

class Quantize : public OpkitTest {
 protected:
  void SetUp() override {
    OpkitTest::SetUp();
    write("net.onnx", ClassifierWriter().run());
    write("data.npy", float_npy(wave_pictures(12), "12, 3, 16, 16"));
  }
  // Names of the first layers of a ranking.
  static std::string first(const nlohmann::json& compared) { return compared["ranking"][0]; }
  nlohmann::json value_of(const nlohmann::json& compared, const std::string& name) const {
    for (const auto& value : compared["values"]) {
      if (value["value"] == name) return value;
    }
    return {};
  }
  void expect_refused(const std::vector<std::string>& words, const std::string& code,
                      const std::string& text) {
    const Shown shown = opkit(words);
    EXPECT_NE(shown.exit_code, 0) << code;
    EXPECT_THAT(shown.err, testing::HasSubstr("error " + code));
    EXPECT_THAT(shown.err, testing::HasSubstr(text));
  }
};

}  // namespace opkit::e2e

#endif  // OPKIT_TESTS_E2E_QUANTIZE_H_
