// REG_OP(Op).INPUT(...)...: prototypes for graph building. They are accepted and checked by the
// compiler; opkit takes an op's prototype from its contract.
#ifndef OPKIT_INCLUDE_GRAPH_OPERATOR_REG_H_
#define OPKIT_INCLUDE_GRAPH_OPERATOR_REG_H_

#include <cstdint>
#include <initializer_list>
#include <string>
#include <vector>

#include "graph/types.h"

namespace ge {

// A set of element types.
class TensorType {
 public:
  TensorType(DataType type) : types_{type} {}
  TensorType(std::initializer_list<DataType> types) : types_(types) {}

  static TensorType ALL() {
    return {DT_BOOL,   DT_COMPLEX128, DT_COMPLEX64, DT_DOUBLE,   DT_FLOAT,  DT_FLOAT16,
            DT_INT16,  DT_INT32,      DT_INT64,     DT_INT8,     DT_QINT16, DT_QINT32,
            DT_QINT8,  DT_QUINT16,    DT_QUINT8,    DT_RESOURCE, DT_STRING, DT_UINT16,
            DT_UINT32, DT_UINT64,     DT_UINT8,     DT_BF16};
  }
  static TensorType BasicType() {
    return {DT_COMPLEX128, DT_COMPLEX64, DT_DOUBLE, DT_FLOAT,  DT_FLOAT16, DT_INT16,   DT_INT32,
            DT_INT64,      DT_INT8,      DT_QINT16, DT_QINT32, DT_QINT8,   DT_QUINT16, DT_QUINT8,
            DT_UINT16,     DT_UINT32,    DT_UINT64, DT_UINT8,  DT_BF16};
  }
  static TensorType NumberType() { return BasicType(); }
  static TensorType RealNumberType() {
    return {DT_DOUBLE, DT_FLOAT,  DT_FLOAT16, DT_INT16,  DT_INT32, DT_INT64,
            DT_INT8,   DT_UINT16, DT_UINT32,  DT_UINT64, DT_UINT8, DT_BF16};
  }
  static TensorType FloatingDataType() { return {DT_DOUBLE, DT_FLOAT, DT_FLOAT16, DT_BF16}; }
  static TensorType IndexNumberType() { return {DT_INT32, DT_INT64}; }
  static TensorType QuantifiedType() {
    return {DT_QINT16, DT_QINT32, DT_QINT8, DT_QUINT16, DT_QUINT8};
  }
  static TensorType UnaryDataType() {
    return {DT_COMPLEX128, DT_COMPLEX64, DT_DOUBLE, DT_FLOAT, DT_FLOAT16, DT_BF16};
  }

  const std::vector<DataType>& types() const { return types_; }

 private:
  std::vector<DataType> types_;
};

}  // namespace ge

namespace opkit_host {

// Receives a prototype's words; the parameter types check them.
class Prototype {
 public:
  explicit Prototype(const char* type) : type_(type) {}
  Prototype& Port(const char*, const ge::TensorType&) { return *this; }
  // A name that .DATATYPE explains.
  Prototype& Port(const char*, const char*) { return *this; }
  Prototype& AttrInt(const char*, int64_t = 0) { return *this; }
  Prototype& AttrFloat(const char*, float = 0) { return *this; }
  Prototype& AttrBool(const char*, bool = false) { return *this; }
  Prototype& AttrString(const char*, const std::string& = {}) { return *this; }
  Prototype& AttrType(const char*, ge::DataType = ge::DT_FLOAT) { return *this; }
  Prototype& AttrListInt(const char*, const std::vector<int64_t>& = {}) { return *this; }
  Prototype& AttrListFloat(const char*, const std::vector<float>& = {}) { return *this; }
  Prototype& AttrListBool(const char*, const std::vector<bool>& = {}) { return *this; }
  Prototype& AttrListString(const char*, const std::vector<std::string>& = {}) { return *this; }
  Prototype& AttrListType(const char*, const std::vector<ge::DataType>& = {}) { return *this; }
  Prototype& AttrListListInt(const char*, const std::vector<std::vector<int64_t>>& = {}) {
    return *this;
  }
  Prototype& Note(const char*) { return *this; }
  Prototype& Done(const char*) { return *this; }

 private:
  const char* type_;
};

// "T" in .INPUT(x, "T") or a TensorType: both pass.
inline const char* port_type(const char* name) { return name; }
inline ge::TensorType port_type(const ge::TensorType& type) { return type; }

}  // namespace opkit_host

#define REG_OP(type)                                                          \
  [[maybe_unused]] static ::opkit_host::Prototype opkit_prototype_of_##type = \
      ::opkit_host::Prototype(#type)
#define INPUT(name, ...) Port(#name, ::opkit_host::port_type(__VA_ARGS__))
#define OPTIONAL_INPUT(name, ...) Port(#name, ::opkit_host::port_type(__VA_ARGS__))
#define DYNAMIC_INPUT(name, ...) Port(#name, ::opkit_host::port_type(__VA_ARGS__))
#define OUTPUT(name, ...) Port(#name, ::opkit_host::port_type(__VA_ARGS__))
#define DYNAMIC_OUTPUT(name, ...) Port(#name, ::opkit_host::port_type(__VA_ARGS__))
#define DATATYPE(name, ...) Port(#name, ::opkit_host::port_type(__VA_ARGS__))
#define ATTR(name, kind, ...) Attr##kind(#name, __VA_ARGS__)
#define REQUIRED_ATTR(name, kind) Attr##kind(#name)
#define GRAPH(name) Note(#name)
#define DYNAMIC_GRAPH(name) Note(#name)
#define OP_END_FACTORY_REG(type) Done(#type);

#endif  // OPKIT_INCLUDE_GRAPH_OPERATOR_REG_H_
