#include "opkit/acl/ops/op_attr.h"

#include "opkit/acl/base/ask.h"

namespace opkit::acl {
namespace {

aclError set(aclopAttr* attr, const char* name, AttrValue value) {
  if (!name || !*name) return fail(ACL_ERROR_INVALID_PARAM, "an attribute without a name");
  return ask(op_attrs(), attr, [&](aclopAttr& a) {
    a.values[name] = std::move(value);
    return ACL_SUCCESS;
  });
}

// A list of Element made of the values of an array.
template <typename Element, typename Value>
aclError set_list(aclopAttr* attr, const char* name, int count, const Value* values) {
  if (count < 0 || (count != 0 && !values))
    return fail(ACL_ERROR_INVALID_PARAM, "attribute '%s': %d values at %p", name ? name : "", count,
                static_cast<const void*>(values));
  return set(attr, name, std::vector<Element>(values, values + count));
}

}  // namespace

HandleTable<aclopAttr>& op_attrs() {
  static HandleTable<aclopAttr>& all = *new HandleTable<aclopAttr>("aclopAttr");
  return all;
}

}  // namespace opkit::acl

using namespace opkit::acl;

OPKIT_ACL_EXPORT aclopAttr* aclopCreateAttr(void) { return make(op_attrs(), aclopAttr{}); }

OPKIT_ACL_EXPORT void aclopDestroyAttr(const aclopAttr* attr) { destroy(op_attrs(), attr); }

OPKIT_ACL_EXPORT aclError aclopSetAttrBool(aclopAttr* attr, const char* name, uint8_t value) {
  return set(attr, name, value != 0);
}

OPKIT_ACL_EXPORT aclError aclopSetAttrInt(aclopAttr* attr, const char* name, int64_t value) {
  return set(attr, name, value);
}

OPKIT_ACL_EXPORT aclError aclopSetAttrFloat(aclopAttr* attr, const char* name, float value) {
  return set(attr, name, double{value});
}

OPKIT_ACL_EXPORT aclError aclopSetAttrString(aclopAttr* attr, const char* name, const char* value) {
  if (!value)
    return fail(ACL_ERROR_INVALID_PARAM, "attribute '%s' without a text", name ? name : "");
  return set(attr, name, std::string(value));
}

// A type is an attribute by its number.
OPKIT_ACL_EXPORT aclError aclopSetAttrDataType(aclopAttr* attr, const char* name,
                                               aclDataType value) {
  return set(attr, name, int64_t{value});
}

OPKIT_ACL_EXPORT aclError aclopSetAttrListBool(aclopAttr* attr, const char* name, int count,
                                               const uint8_t* values) {
  return set_list<bool>(attr, name, count, values);
}

OPKIT_ACL_EXPORT aclError aclopSetAttrListInt(aclopAttr* attr, const char* name, int count,
                                              const int64_t* values) {
  return set_list<int64_t>(attr, name, count, values);
}

OPKIT_ACL_EXPORT aclError aclopSetAttrListFloat(aclopAttr* attr, const char* name, int count,
                                                const float* values) {
  return set_list<double>(attr, name, count, values);
}

OPKIT_ACL_EXPORT aclError aclopSetAttrListString(aclopAttr* attr, const char* name, int count,
                                                 const char** values) {
  for (int i = 0; values && i < count; ++i) {
    if (!values[i]) return fail(ACL_ERROR_INVALID_PARAM, "text %d of an attribute is null", i);
  }
  return set_list<std::string>(attr, name, count, values);
}

OPKIT_ACL_EXPORT aclError aclopSetAttrListListInt(aclopAttr*, const char* name, int, const int*,
                                                  const int64_t* const*) {
  return fail(ACL_ERROR_API_NOT_SUPPORT, "attribute '%s': contracts have no lists of lists",
              name ? name : "");
}
