#include "harness/campaign/failure.hpp"

#include <algorithm>
#include <variant>

#include "core/error.hpp"
#include "fixtures/data_file.hpp"
#include "properties/draw.hpp"

namespace attest {
namespace {

std::vector<const Law*> only(const std::string& name) {
  if (name == kRunItself) return {};
  return {&law_named(name)};
}

// One subject on one unit and schedule under one law.
SubjectResult check_once(const Case& c, const Inputs& inputs, Exact exact, const Subject& subject,
                         const RunSettings& settings, const std::string& law,
                         const OracleMemory& oracle) {
  const Subject* const subjects[] = {&subject};
  const std::vector<const Law*> laws = only(law);
  RunChoice choice{{settings.unit}, 0, settings.schedule_seed, settings.threads};
  choice.oracle = oracle;
  choice.configuration = settings.configuration;
  return check_case(c, inputs, std::move(exact), subjects, laws, choice).subjects.front();
}

bool fails(const SubjectResult& result, const std::string& law) {
  if (result.unsupported) return false;
  if (result.trouble.kind != RunOutcome::Kind::ran) return true;
  return std::ranges::any_of(result.laws, [&](const LawResult& one) {
    return one.law->name == law && one.outcome.verdict == Verdict::reject;
  });
}

// The cheapest answer will do for a verdict: what it leaves open is refined.
SubjectResult check_cheaply(const Case& c, const Inputs& inputs, const Subject& subject,
                            const RunSettings& settings, const std::string& law,
                            const OracleMemory& oracle) {
  Exact exact = enclose_cheaply(c.problem, inputs);
  return check_once(c, inputs, std::move(exact), subject, settings, law, oracle);
}

bool fails_anew(const Case& c, const Inputs& inputs, const Subject& subject,
                const RunSettings& settings, const std::string& law, const OracleMemory& oracle) {
  return fails(check_cheaply(c, inputs, subject, settings, law, oracle), law);
}

Trial trial_of(const SubjectResult& result, const std::string& law) {
  if (fails(result, law)) return Trial::fails;
  const bool silent = law != kRunItself && result.laws.empty();
  return result.unsupported || silent ? Trial::declined : Trial::passes;
}

// The schedule under which to explain the failure.
RunSettings plainest(const Case& c, const Inputs& inputs, const Subject& subject,
                     const RunSettings& settings, const std::string& law,
                     const OracleMemory& oracle) {
  if (settings.schedule_seed == 0) return settings;
  RunSettings unseeded = settings;
  unseeded.schedule_seed = 0;
  return fails_anew(c, inputs, subject, unseeded, law, oracle) ? unseeded : settings;
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

Numerics numerics_of(const Failure& f) {
  const Problem& problem = f.shrunk.smallest.problem;
  return f.configuration.empty() ? f.subject->numerics(problem, f.unit)
                                 : f.subject->numerics_in(f.configuration, problem, f.unit);
}

bool is_unwritten(const ElementJudgement& element) {
  return element.bits == poison_bits(element.format);
}

Inputs inputs_of(const Case& c, const std::filesystem::path& folder) {
  if (const auto* file = std::get_if<FileData>(&c.data)) {
    return read_case_data(folder, c.problem, file->sha256);
  }
  return materialise(c);
}

Failure explain_failure(const Case& c, const Inputs& inputs, const Subject& subject,
                        const RunSettings& settings, const std::string& law,
                        const std::filesystem::path& folder,
                        std::chrono::steady_clock::time_point deadline,
                        const OracleMemory& oracle) {
  const RunSettings chosen = plainest(c, inputs, subject, settings, law, oracle);
  Failure failure;
  failure.subject = &subject;
  failure.unit = chosen.unit;
  failure.schedule_seed = chosen.schedule_seed;
  failure.configuration = chosen.configuration;
  failure.law = law;
  failure.original = c;
  const bool from_file = std::holds_alternative<FileData>(c.data);
  const auto still_fails = [&](const Case& candidate) {
    return fails_anew(candidate, inputs_of(candidate, folder), subject, chosen, law, oracle);
  };
  failure.shrunk = from_file ? Shrunk{c} : shrink_failure(c, still_fails, deadline);

  const Case& smallest = failure.shrunk.smallest;
  const Inputs values = smallest == c ? inputs : inputs_of(smallest, folder);
  const SubjectResult result = check_once(
      smallest, values, enclose(smallest.problem, values, oracle), subject, chosen, law, oracle);
  failure.smallest_text = to_string(storable(smallest, values, c, folder));
  failure.trouble = result.trouble;
  for (const LawResult& one : result.laws) failure.outcome = one.outcome;
  return failure;
}

std::optional<Failure> explain_by(const Failure& told, const Case& c, const std::string& law,
                                  const std::filesystem::path& folder, const OracleMemory& oracle) {
  const Case& smallest = told.shrunk.smallest;
  const Inputs values = inputs_of(smallest, folder);
  const RunSettings settings{told.unit, told.schedule_seed, cores()};
  const SubjectResult result =
      check_once(smallest, values, enclose(smallest.problem, values, oracle), *told.subject,
                 settings, law, oracle);
  if (!fails(result, law)) return std::nullopt;
  Failure failure = told;
  failure.law = law;
  failure.original = c;
  failure.needs = {};
  failure.outcome = result.laws.empty() ? LawOutcome{} : result.laws.front().outcome;
  failure.configuration = failure.outcome.configuration;
  failure.trouble = result.trouble;
  return failure;
}

Needs probe_needs(const Failure& failure, const std::filesystem::path& folder,
                  std::chrono::steady_clock::time_point deadline, const OracleMemory& oracle) {
  const auto* drawn = std::get_if<FamilyData>(&failure.original.data);
  const auto trial = [&](const Attempt& attempt) {
    const Subject& subject = *failure.subject;
    if (subject.unsupported(attempt.c.problem, attempt.unit)) return Trial::declined;
    RunSettings settings{attempt.unit, attempt.schedule_seed, cores()};
    settings.configuration = failure.configuration;
    const Inputs values = inputs_of(attempt.c, folder);
    return trial_of(check_cheaply(attempt.c, values, subject, settings, failure.law, oracle),
                    failure.law);
  };
  const Case& smallest = failure.shrunk.smallest;
  return find_needs({smallest, failure.unit, failure.schedule_seed}, inputs_of(smallest, folder),
                    drawn ? std::optional(*drawn) : std::nullopt, trial, deadline);
}

Failure shrink_and_probe(const Case& c, const Inputs& inputs, const Subject& subject,
                         const RunSettings& settings, const std::string& law,
                         const std::filesystem::path& folder,
                         std::chrono::steady_clock::duration time, const OracleMemory& oracle) {
  const auto start = std::chrono::steady_clock::now();
  Failure failure =
      explain_failure(c, inputs, subject, settings, law, folder, start + time / 4 * 3, oracle);
  failure.needs = probe_needs(failure, folder, start + time, oracle);
  return failure;
}

}  // namespace attest
