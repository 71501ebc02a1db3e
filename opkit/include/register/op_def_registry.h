// Everything that an op_host source with an OpDef needs.
#ifndef OPKIT_INCLUDE_REGISTER_OP_DEF_REGISTRY_H_
#define OPKIT_INCLUDE_REGISTER_OP_DEF_REGISTRY_H_

#include "register/op_def.h"
#include "register/op_impl_registry.h"

#endif  // OPKIT_INCLUDE_REGISTER_OP_DEF_REGISTRY_H_
