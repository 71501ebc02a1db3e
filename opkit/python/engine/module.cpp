// The module opkit_engine: ops and models, with errors as exceptions. opkit/python/packages/opkit
// stands on it.
#include "opkit/python/engine/model.h"
#include "opkit/python/engine/op.h"

PYBIND11_MODULE(opkit_engine, module) {
  opkit::python::add_ops(module);
  opkit::python::add_models(module);
}
