// Whether shapes of a new contract take what those of the old one took.
#include <algorithm>
#include <map>

#include "opkit/contract/diff_parts.h"

namespace opkit {
namespace {

// A plain dim or prefix, whose text is its name; not "N|1" or "N[]".
bool is_symbol(const Expr& item) {
  return !item.bare_name().empty() && !item.is_collapsible() && !item.is_per_tensor();
}
bool is_list(const Expr& item) { return item.type() == Expr::Type::kList; }
bool is_prefix(const Expr& item) { return is_list(item) && is_symbol(item); }

// What the new contract's symbols stand for in the old one's shapes.
class Substitution {
 public:
  // Tells whether the new shape with its symbols replaced is the old one. A shape with one prefix
  // decides what that takes; each symbol stands for the same items everywhere.
  bool admits(const ShapeSpec& now, const ShapeSpec& old) {
    if (now.opaque || old.opaque) return now.opaque && old.opaque;
    const size_t count = now.items.size();
    if (std::count_if(now.items.begin(), now.items.end(), is_prefix) > 1)
      return count == old.items.size() && is_same(now, old);
    const auto prefix = std::find_if(now.items.begin(), now.items.end(), is_prefix);
    const size_t fixed = count - (prefix != now.items.end() ? 1 : 0);
    if (old.items.size() < fixed || (fixed == count && old.items.size() != count)) return false;
    size_t next = 0;
    for (const Expr& item : now.items) {
      const size_t taken = is_prefix(item) ? old.items.size() - fixed : 1;
      if (!take(item, old, next, taken)) return false;
      next += taken;
    }
    return true;
  }

 private:
  using Items = std::vector<std::string>;

  bool is_same(const ShapeSpec& now, const ShapeSpec& old) {
    for (size_t i = 0; i < now.items.size(); ++i) {
      if (now.items[i].to_string() != old.items[i].to_string() || !keeps_names(now.items[i]))
        return false;
    }
    return true;
  }

  bool take(const Expr& item, const ShapeSpec& old, size_t first, size_t count) {
    if (!is_symbol(item))
      return item.to_string() == old.items[first].to_string() && keeps_names(item);
    Items items;
    for (size_t i = first; i < first + count; ++i) {
      if (!fits(item, old.items[i])) return false;
      items.push_back(old.items[i].to_string());
    }
    return stands_for(item.to_string(), items);
  }

  // A dim takes a number, a prefix takes numbers and prefixes; broadcasting is kept only by itself.
  static bool fits(const Expr& symbol, const Expr& item) {
    if (item.is_collapsible() || item.is_per_tensor()) return false;
    return is_list(symbol) || !is_list(item);
  }

  bool stands_for(const std::string& symbol, const Items& items) {
    return of_.emplace(symbol, items).first->second == items;
  }

  // Expressions are compared by their text, so that their names must mean what they meant.
  bool keeps_names(const Expr& item) {
    return std::all_of(item.names().begin(), item.names().end(), [&](const Expr::Name& name) {
      const bool list = name.use == Expr::Use::kList;
      return stands_for(list ? name.name + ".." : name.name, {list ? name.name + ".." : name.name});
    });
  }

  std::map<std::string, Items> of_;
};

bool admits_ports(Substitution& substitution, const std::vector<Port>& now,
                  const std::vector<Port>& old) {
  return std::all_of(old.begin(), old.end(), [&](const Port& port) {
    const auto same = std::find_if(now.begin(), now.end(),
                                   [&](const Port& other) { return other.name == port.name; });
    return same == now.end() || substitution.admits(same->shape, port.shape);
  });
}

}  // namespace

bool shapes_admit(const OpContract& now, const OpContract& old) {
  Substitution substitution;
  return admits_ports(substitution, now.inputs, old.inputs) &&
         admits_ports(substitution, now.outputs, old.outputs);
}

}  // namespace opkit
