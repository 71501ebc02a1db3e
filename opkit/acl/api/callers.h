// Functions of the program that aclInit and aclFinalize call.
#ifndef OPKIT_ACL_API_CALLERS_H_
#define OPKIT_ACL_API_CALLERS_H_

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "acl/acl.h"
#include "opkit/acl/base/error.h"

namespace opkit::acl {

// (Pages "aclInitCallbackRegister", "aclFinalizeCallbackRegister" and their neighbours.) What is to
// be called is handed out: the functions call in again, so nothing is locked while they run.
class Callers {
 public:
  using Calls = std::vector<std::function<aclError()>>;
  // Tells of those that fail on stderr.
  static void make(const Calls& calls);

  // config: the text of aclInit's file.
  Calls begin(std::string config);
  Calls end() const;
  // Adds a function to call, of a program that is behind begin(): the function's call is among
  // `calls`.
  aclError add(aclRegisterCallbackType type, aclInitCallbackFunc function, void* data,
               Calls& calls);
  aclError add(aclRegisterCallbackType type, aclFinalizeCallbackFunc function, void* data);
  aclError remove(aclRegisterCallbackType type, aclInitCallbackFunc function);
  aclError remove(aclRegisterCallbackType type, aclFinalizeCallbackFunc function);
  void forget_config() { config_ = nullptr; }

 private:
  template <typename Function>
  struct Caller {
    aclRegisterCallbackType type;
    Function function;
    void* data;
  };
  template <typename Function>
  static aclError keep(std::vector<Caller<Function>>& all, const Caller<Function>& one);
  template <typename Function>
  static aclError drop(std::vector<Caller<Function>>& all, aclRegisterCallbackType type,
                       Function function);
  std::function<aclError()> call_of(const Caller<aclInitCallbackFunc>& one) const;

  std::shared_ptr<const std::string> config_;  // nullptr: before begin()
  std::vector<Caller<aclInitCallbackFunc>> beginners_;
  std::vector<Caller<aclFinalizeCallbackFunc>> enders_;
};

// Returns those that the program has, made on first use and never destroyed. REQUIRES: the lock is
// held.
Callers& callers();

}  // namespace opkit::acl

#endif  // OPKIT_ACL_API_CALLERS_H_
