// OpCall: the arguments of one node, as the host functions of an op are asked with.
#ifndef OPKIT_CALL_TILING_OP_CALL_H_
#define OPKIT_CALL_TILING_OP_CALL_H_

#include <cstddef>
#include <deque>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "opkit/abi/plugin.h"
#include "opkit/base/status.h"
#include "opkit/base/tensor.h"

namespace opkit {

struct CallTensor {
  TensorDesc desc;                      // describes how the bytes lie
  std::optional<Shape> origin_shape;    // is what the model's author sees; absent: desc.shape
  std::optional<Format> origin_format;  // absent: desc.format
  const std::byte* value = nullptr;     // holds a value-dependent input's values; borrowed, dense

  CallTensor() = default;
  CallTensor(TensorDesc d) : desc(std::move(d)) {}
};

// An IR input or output: one tensor, none for an absent optional input, any number for a dynamic
// one.
struct CallPort {
  std::string name;
  std::vector<CallTensor> tensors;
};

// The alternatives are those of opk_attr_kind, in its order.
using CallAttrValue =
    std::variant<bool, int64_t, double, std::string, std::vector<bool>, std::vector<int64_t>,
                 std::vector<double>, std::vector<std::string>>;

struct CallAttr {
  std::string name;
  CallAttrValue value;
};

// Ports and attributes in the order of the contract.
struct OpCall {
  std::string op_type;
  std::string node_name;
  std::vector<CallPort> inputs;
  std::vector<CallPort> outputs;
  std::vector<CallAttr> attrs;
  bool deterministic = false;
};

// Returns one port per desc, named as the desc is.
std::vector<CallPort> ports_of(const std::vector<TensorDesc>& descs);

// An OpCall as opk_call_v1. Not copied: its tables point into it and into the OpCall, which must
// outlive it.
class AbiCall {
 public:
  // `soc` may be nullptr (inference). REQUIRES: report outlives the object.
  AbiCall(const OpCall& call, const opk_soc_v1* soc, const opk_report_v1* report);
  AbiCall(const AbiCall&) = delete;
  AbiCall& operator=(const AbiCall&) = delete;

  const opk_call_v1* get() const { return &call_; }

 private:
  struct Side {
    std::deque<opk_tensor_v1> tensors;
    std::deque<std::vector<const opk_tensor_v1*>> tensor_rows;
    std::deque<opk_port_v1> ports;
    std::vector<const opk_port_v1*> port_rows;

    void add(const CallPort& port);
  };
  struct AttrRows {
    opk_attr_v1 row{};
    std::vector<int64_t> ints;
    std::vector<float> floats;
    std::vector<const char*> strings;
  };

  void add(const CallAttr& attr);

  Side inputs_, outputs_;
  std::deque<AttrRows> attrs_;
  std::vector<const opk_attr_v1*> attr_rows_;
  opk_call_v1 call_{};
};

// An Error (OPK-TILE-001) unless the call can cross the waist: at most OPK_MAX_DIMS dims, legal
// dims, and no unknown dims when `all_known`.
Status check_call(const OpCall& call, bool all_known);

}  // namespace opkit

#endif  // OPKIT_CALL_TILING_OP_CALL_H_
