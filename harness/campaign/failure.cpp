#include "harness/campaign/failure.hpp"

#include <algorithm>
#include <variant>

#include "core/error.hpp"
#include "fixtures/data_file.hpp"
#include "oracle/enclose_forward.hpp"
#include "properties/draw.hpp"

namespace attest {
namespace {

std::vector<const Law*> only(const std::string& name) {
  if (name == kRunItself) return {};
  return {&law_named(name)};
}

// One subject on one unit under one law.
SubjectResult check_once(const Case& c, const Inputs& inputs, Answer answer, const Subject& subject,
                         Unit unit, const std::string& law) {
  const Subject* const subjects[] = {&subject};
  const std::vector<const Law*> laws = only(law);
  return check_case(c, inputs, std::move(answer), subjects, laws, {{unit}, 0}).subjects.front();
}

bool fails(const SubjectResult& result, const std::string& law) {
  if (result.unsupported) return false;
  if (result.trouble.kind != RunOutcome::Kind::ran) return true;
  return std::ranges::any_of(result.laws, [&](const LawResult& one) {
    return one.law->name == law && one.outcome.verdict == Verdict::reject;
  });
}

// A literal too large for its string goes to a file, and the case names that file. Where that file
// cannot be written the case it came from, if it has a string, must do: a report is worth more.
Case storable(const Case& c, const Inputs& inputs, const Case& original,
              const std::filesystem::path& folder) {
  if (!std::holds_alternative<Inputs>(c.data) || bytes_of(inputs) <= kLargestLiteral) return c;
  try {
    return {c.problem, FileData{write_case_data(folder, c.problem, inputs)}};
  } catch (const Error&) {
    if (std::holds_alternative<Inputs>(original.data)) throw;
    return original;
  }
}

}  // namespace

Inputs inputs_of(const Case& c, const std::filesystem::path& folder) {
  if (const auto* file = std::get_if<FileData>(&c.data)) {
    return read_case_data(folder, c.problem, file->sha256);
  }
  return materialise(c);
}

Failure explain_failure(const Case& c, const Inputs& inputs, const Subject& subject, Unit unit,
                        const std::string& law, const std::filesystem::path& folder,
                        std::chrono::steady_clock::time_point deadline) {
  Failure failure;
  failure.subject = &subject;
  failure.unit = unit;
  failure.law = law;
  failure.original = c;
  const bool from_file = std::holds_alternative<FileData>(c.data);
  const auto still_fails = [&](const Case& candidate) {
    const Inputs values = inputs_of(candidate, folder);
    Answer answer = enclose_forward(candidate.problem, values);
    return fails(check_once(candidate, values, std::move(answer), subject, unit, law), law);
  };
  failure.shrunk = from_file ? Shrunk{c} : shrink_failure(c, still_fails, deadline);

  const Case& smallest = failure.shrunk.smallest;
  const Inputs values = smallest == c ? inputs : inputs_of(smallest, folder);
  const Answer answer = enclose_forward(smallest.problem, values);
  const SubjectResult result = check_once(smallest, values, answer, subject, unit, law);
  failure.smallest_text = to_string(storable(smallest, values, c, folder));
  failure.trouble = result.trouble;
  for (const LawResult& one : result.laws) failure.outcome = one.outcome;
  return failure;
}

}  // namespace attest
