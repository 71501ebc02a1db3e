// Calling an op from a C++ test: where ops are found and what runs them, as interfaces that a test
// may fake, and the real ones: installed packages and the emulated chip. For authors; C++17.
#ifndef OPKIT_TESTING_DEVICE_H_
#define OPKIT_TESTING_DEVICE_H_

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#define OPKIT_TESTING_API __attribute__((visibility("default")))

namespace opkit::testing {

// A tensor. Elements are stored as the dtype: floats round to nearest, integers saturate.
struct Values {
  std::string dtype;          // the contract's name: "float16"
  std::vector<int64_t> dims;  // none: a scalar
  std::vector<double> elements;
  // How the kernel gets it: "FRACTAL_NZ". None: as the first column with the call's dtypes says.
  // Dims and elements are the same in every format.
  std::string format;
};

struct Call {
  std::string op;
  std::string soc = "Ascend910B1";
  std::map<std::string, Values> inputs;  // are keyed by name; optional ones may be left out
  std::map<std::string, std::vector<Values>> lists;  // dynamic inputs: any number of tensors each
  std::map<std::string, std::string> attrs;  // "0.5", "[0, 1]", "true"; others take their defaults
  bool checked = true;  // also judge races, uninitialised reads, queues and bounds
};

struct Answer {
  std::map<std::string, Values> outputs;
  std::map<std::string, std::vector<Values>> lists;  // dynamic outputs
  std::string code, message;  // tell of the error that stopped the call; empty: there was none
  bool ok() const { return code.empty(); }
};

// Where ops come from.
class OPKIT_TESTING_API OpRegistry {
 public:
  virtual ~OpRegistry() = default;
  // Returns the folder of the package that serves the op on the chip; empty when there is none.
  virtual std::string package_of(const std::string& op, const std::string& soc) = 0;
};

// What runs an op.
class OPKIT_TESTING_API Device {
 public:
  virtual ~Device() = default;
  virtual Answer run(const std::string& package, const Call& call) = 0;
};

// Returns the packages of an OPP folder; "": those of ASCEND_CUSTOM_OPP_PATH and ASCEND_OPP_PATH.
OPKIT_TESTING_API std::unique_ptr<OpRegistry> installed_ops(const std::string& opp = {});
// One package, whatever is installed: the folder that `opkit build` made.
OPKIT_TESTING_API std::unique_ptr<OpRegistry> one_package(const std::string& folder);
OPKIT_TESTING_API std::unique_ptr<Device> emulated_chip();

// What `opkit test` says of a package.
struct ContractVerdict {
  bool passed = false;
  std::string report;  // or the error that kept it from running
};
// tier: smoke, ci, nightly.
OPKIT_TESTING_API ContractVerdict test_contract(const std::string& package,
                                                const std::string& tier = "smoke");

}  // namespace opkit::testing

#endif  // OPKIT_TESTING_DEVICE_H_
