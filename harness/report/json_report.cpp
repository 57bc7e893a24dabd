#include "harness/report/json_report.hpp"

#include <fstream>
#include <nlohmann/json.hpp>
#include <span>

#include "core/error.hpp"
#include "core/file_bytes.hpp"
#include "core/hex_float.hpp"
#include "harness/report/covering_report.hpp"
#include "harness/report/failing_report.hpp"
#include "harness/report/needs_text.hpp"

namespace attest {
namespace {

using Json = nlohmann::ordered_json;

Json head(const RunDescription& run) {
  return {{"schema", "attest.report/1"},
          {"command", run.command},
          {"tier", run.tier},
          {"seed", std::to_string(run.seed)},
          {"exit_status", run.exit_status}};
}

Json counts(const FormatCounts& by_format) {
  Json json = Json::object();
  for (const Format format : kFormats) {
    const Index count = by_format[static_cast<std::size_t>(format)];
    if (count > 0) json[std::string(shape_of(format).name)] = count;
  }
  return json;
}

// By output; what no replay looked at is not there, nor widths of gradients, which have no budget
// of the same element beside them.
Json replay_json(const SubjectTally& subject) {
  Json json = Json::object();
  for (std::size_t n = 0; n < subject.replay.size(); ++n) {
    const ReplayCounts& counts = subject.replay[n];
    if (counts.judged + counts.left == 0) continue;
    const auto tensor = static_cast<OutputTensor>(n);
    Json& of_tensor = json[std::string(name_of(tensor))];
    of_tensor = {{"judged", counts.judged}, {"left", counts.left}, {"single", counts.single}};
    if (tensor == OutputTensor::o) of_tensor["mean_width_over_budget"] = counts.mean_width();
  }
  return json;
}

Json subject_rows(const Tally& tally) {
  Json rows = Json::array();
  for (const auto& [key, subject] : tally.subjects) {
    Json laws = Json::object();
    for (const auto& [name, law] : subject.laws) {
      laws[name] = {
          {"accepted", law.accepted}, {"rejected", law.rejected}, {"undecided", law.undecided}};
      if (law.worst_ratio) laws[name]["worst_ratio"] = to_hex(*law.worst_ratio);
    }
    Json endings = Json::object();
    for (const auto& [kind, count] : subject.endings) endings[std::string(name_of(kind))] = count;
    rows.push_back({{"subject", key.subject},
                    {"format", shape_of(key.format).name},
                    {"unit", name_of(key.unit)},
                    {"pass", key.pass == Pass::fwd ? "fwd" : "bwd"},
                    {"cases", subject.cases},
                    {"shared", subject.shared},
                    {"three_key_tiles", subject.three_tiles},
                    {"troubled", subject.troubled()},
                    {"endings", endings},
                    {"elements", subject.elements},
                    {"laws", laws},
                    {"replay", replay_json(subject)},
                    {"assumed", subject.assumed},
                    {"bits", subject.digests}});
  }
  return rows;
}

Json family_rows(const Tally& tally) {
  Json rows = Json::object();
  for (const FamilyTally& family : tally.families) {
    rows[family.name] = {{"cases", counts(family.cases)},
                         {"worst_ratio_o", family.worst_o},
                         {"worst_ratio_lse", family.worst_lse},
                         {"worst_ratios_gradients", family.worst_gradients},
                         {"worst_ratios_stages", family.worst_stages},
                         {"elements", family.judged()},
                         {"elements_with_gradients", family.judged_in_all()},
                         {"unbounded", family.unbounded()}};
  }
  return rows;
}

Json element_json(const ElementJudgement& e) {
  Json terms = Json::object();
  for (const BudgetTerm& term : e.budget.terms) terms[std::string(term.name)] = to_hex(term.value);
  return {{"tensor", name_of(e.tensor)},
          {"b", e.b},
          {"h", e.h},
          {"i", e.i},
          {"d", e.k},
          {"verdict", name_of(e.verdict)},
          {"observed", to_hex(e.observed)},
          {"exact", {to_hex(e.exact.lo), to_hex(e.exact.hi)}},
          {"error", to_hex(e.error)},
          {"budget", e.budget.unbounded == Unbounded::no ? Json(to_hex(e.budget.total)) : Json()},
          {"terms", terms},
          {"reason", e.reason}};
}

Json needs_json(const Needs& needs) {
  Json dimensions = Json::array();
  constexpr const char* kNeeds[] = {"none", "some", "untold"};
  constexpr const char* kEndings[] = {"fails", "passes", "declined"};
  for (const Probe& probe : needs.probes) {
    Json by_ending = {
        {"fails", Json::array()}, {"passes", Json::array()}, {"declined", Json::array()}};
    for (const TriedValue& one : probe.tried) {
      by_ending[kEndings[static_cast<std::size_t>(one.trial)]].push_back(one.value);
    }
    dimensions.push_back({{"dimension", probe.dimension},
                          {"own", probe.own},
                          {"need", kNeeds[static_cast<std::size_t>(need_of(probe))]},
                          {"summary", need_text(probe)},
                          {"tried", by_ending}});
  }
  return {{"runs", needs.runs}, {"out_of_time_for", needs.untried}, {"dimensions", dimensions}};
}

Json failure_json(const Failure& f) {
  Json json = {{"subject", f.subject->name()},
               {"unit", name_of(f.unit)},
               {"schedule_seed", std::to_string(f.schedule_seed)},
               {"law", f.law},
               {"told_by", f.beside.empty() ? f.law : f.beside},
               {"case", f.smallest_text},
               {"shrink_steps", f.shrunk.steps},
               {"shrink_tried", f.shrunk.tried},
               {"shrink_out_of_time", f.shrunk.out_of_time},
               {"needs", needs_json(f.needs)},
               {"detail", f.outcome.detail},
               {"replay", replay_command(f)}};
  if (!f.configuration.empty()) json["configuration"] = f.configuration;
  if (f.trouble.kind != RunOutcome::Kind::ran) {
    json["ending"] = name_of(f.trouble.kind);
    json["trouble"] = f.trouble.detail;
  }
  const ElementJudgement* shown = f.outcome.judgement ? f.outcome.judgement->worst() : nullptr;
  if (shown != nullptr) json["element"] = element_json(*shown);
  return json;
}

Json comparison_json(const Comparison& c) {
  Json json = {{"file", c.file},
               {"lacks_worst_ratios", c.lacks_ratios},
               {"lacks_bits", c.lacks_bits},
               {"new_rows", c.new_rows},
               {"vanished_rows", c.vanished_rows},
               {"verdicts", Json::array()},
               {"worst_ratios", Json::array()},
               {"bits", Json::array()},
               {"compared_worst_ratios", c.compared_ratios},
               {"runs_with_bits", c.runs_with_bits},
               {"same_cases", c.same_cases},
               {"same_bits", c.same_bits}};
  for (const VerdictChange& change : c.verdicts) {
    json["verdicts"].push_back(
        {{"row", change.row}, {"law", change.law}, {"was", change.was}, {"is", change.is}});
  }
  for (const RatioChange& change : c.ratios) {
    json["worst_ratios"].push_back({{"row", change.row},
                                    {"law", change.law},
                                    {"was", to_hex(change.was)},
                                    {"is", to_hex(change.is)}});
  }
  for (const BitsChange& change : c.bits) {
    json["bits"].push_back({{"row", change.row}, {"cases", change.cases}, {"first", change.first}});
  }
  return json;
}

// What a plug-in says may be no UTF-8, and is mended.
std::string text_of(const Json& json) {
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace

std::string json_report(const RunDescription& run, const Campaign& campaign,
                        const Comparison* comparison) {
  const Tally& tally = campaign.tally;
  Json json = head(run);
  json["cases"] = {{"goldens", tally.goldens},
                   {"counterexamples", tally.counterexamples},
                   {"fresh", counts(tally.fresh)}};
  json["rejected"] = campaign.rejected_cases;
  json["undecided"] = campaign.undecided_cases;
  json["troubled"] = campaign.troubled_cases;
  json["unfinished"] = campaign.unfinished;
  json["oracle_bits"] = tally.bits;
  json["subjects"] = subject_rows(tally);
  json["families"] = family_rows(tally);
  json["shape_classes"] = tally.shape_classes;
  json["covering"] = covering_json(campaign);
  json["unsupported"] = tally.unsupported;
  json["decline_reasons"] = tally.reasons;
  json["empty"] = campaign.empty;
  json["too_unbounded"] = Json::array();
  for (const auto& [family, subject] : campaign.too_unbounded) {
    json["too_unbounded"].push_back({{"family", family}, {"subject", subject}});
  }
  json["failures"] = Json::array();
  for (const Failure& failure : campaign.failures)
    json["failures"].push_back(failure_json(failure));
  if (comparison != nullptr) json["against"] = comparison_json(*comparison);
  return text_of(json);
}

std::string json_report(const RunDescription& run, const CanaryRun& canaries) {
  Json json = head(run);
  json["cases"] = canaries.cases;
  json["control_refused"] = canaries.control_refused;
  json["interrupted"] = canaries.interrupted();
  json["canaries"] = Json::array();
  for (const CanaryVerdict& canary : canaries.canaries) {
    Json row = {{"name", canary.canary->name}, {"law", canary.canary->law},
                {"caught", canary.caught()},   {"rejected", canary.rejected},
                {"small", canary.small},       {"control_accepted", canary.control_accepted},
                {"cases", canary.cases},       {"rejected_by", canary.by}};
    if (canary.rejected) row["failure"] = failure_json(canary.failure);
    json["canaries"].push_back(row);
  }
  if (canaries.control_failure) json["control_failure"] = failure_json(*canaries.control_failure);
  return text_of(json);
}

void require_report_folder(const std::filesystem::path& file) {
  const auto refuse = [&](const std::string& why) {
    throw Error(Blame::usage, "report file " + file.string() + ": " + why);
  };
  std::error_code unknown;
  const std::filesystem::path folder = std::filesystem::absolute(file, unknown).parent_path();
  const auto status = std::filesystem::status(folder, unknown);
  if (status.type() == std::filesystem::file_type::none) refuse(unknown.message());
  if (!std::filesystem::is_directory(status)) refuse("no such folder");
  const auto status_of_file = std::filesystem::status(file, unknown);
  if (status_of_file.type() == std::filesystem::file_type::none) refuse(unknown.message());
  if (std::filesystem::is_directory(status_of_file)) refuse("is a folder");
}

void write_report(const std::filesystem::path& file, const std::string& text) {
  // A link's target is replaced, not the link; a device or a pipe is written to, never renamed
  // over.
  std::error_code unresolved;
  const std::filesystem::path target = std::filesystem::weakly_canonical(file, unresolved);
  try {
    const auto status = std::filesystem::status(target, unresolved);
    if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status)) {
      std::ofstream stream(target);
      stream << text << std::flush;
      if (!stream) throw Error(Blame::usage, "");
    } else {
      replace_file(target, std::as_bytes(std::span(text)));
    }
  } catch (const Error&) {
    throw Error(Blame::usage, "report file " + file.string() + ": cannot be written");
  }
}

}  // namespace attest
