#include "opkit/reference/operator.h"

namespace opkit::reference {

const AttributeSpec* Operator::attribute(std::string_view attribute_name, int opset) const {
  return find_attribute(attributes, attribute_name, opset);
}

}  // namespace opkit::reference
