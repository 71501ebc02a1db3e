#include "opkit/acl/streams/stream.h"

namespace opkit::acl {

HandleTable<Event>& events() {
  static HandleTable<Event>& all = *new HandleTable<Event>("event");
  return all;
}

}  // namespace opkit::acl
