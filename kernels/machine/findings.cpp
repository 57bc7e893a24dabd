#include "kernels/machine/findings.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

namespace attest {
namespace {

std::string_view name_of(Finding::Kind kind) {
  switch (kind) {
    case Finding::Kind::race: return "race";
    case Finding::Kind::uninitialised_shared: return "uninitialised shared memory";
    case Finding::Kind::uninitialised_global: return "uninitialised global memory";
    case Finding::Kind::out_of_bounds: return "out of bounds";
    case Finding::Kind::misaligned: return "misaligned access";
    case Finding::Kind::bad_argument: return "bad argument";
    case Finding::Kind::divergence: return "divergence";
    case Finding::Kind::endless: return "no end in sight";
  }
  return "?";
}

}  // namespace

std::string describe(const Finding& finding) {
  std::string text = std::string(name_of(finding.kind)) + " at " + text_of(finding.where);
  if (is_somewhere(finding.other_where) && !same_line(finding.where, finding.other_where)) {
    text += ", against " + text_of(finding.other_where);
  }
  return text + ": " + finding.text;
}

bool is_known(const std::vector<Finding>& findings, Finding::Kind kind, Where where,
              Where other_where) {
  return std::ranges::any_of(findings, [&](const Finding& known) {
    return known.kind == kind && same_line(known.where, where) &&
           same_line(known.other_where, other_where);
  });
}

void add_finding(std::vector<Finding>& findings, Finding finding) {
  if (is_known(findings, finding.kind, finding.where, finding.other_where)) return;
  findings.push_back(std::move(finding));
}

}  // namespace attest
