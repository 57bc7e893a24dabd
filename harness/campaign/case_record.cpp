#include "harness/campaign/case_record.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/error.hpp"
#include "core/hex_float.hpp"

namespace attest {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view kSchema = "attest.case/1";

[[noreturn]] void refuse(const std::string& why) { throw Error(Blame::usage, why); }

template <class Number>
void put_unless_zero(Json& json, const char* key, Number value) {
  if (value != 0) json[key] = value;
}

void put_unless_zero(Json& json, const char* key, double value) {
  if (value != 0) json[key] = to_hex(value);
}

double number_at(const Json& json, const char* key) {
  if (!json.contains(key)) return 0;
  const auto number = parse_number(json.at(key).get<std::string>());
  if (!number) refuse(std::string(key) + " is no number");
  return *number;
}

Json to_json(const TensorJudgement& tensor) {
  Json json = {{"judged", tensor.judged}};
  put_unless_zero(json, "rejected", tensor.rejected);
  put_unless_zero(json, "undecided", tensor.undecided);
  put_unless_zero(json, "unbounded", tensor.unbounded);
  put_unless_zero(json, "worst_ratio", tensor.worst_ratio);
  put_unless_zero(json, "signed_error_sum", tensor.signed_error_sum);
  put_unless_zero(json, "bounded", tensor.bounded);
  put_unless_zero(json, "left", tensor.left);
  put_unless_zero(json, "single", tensor.single);
  put_unless_zero(json, "width_sum", tensor.width_sum);
  return json;
}

TensorJudgement tensor_from(const Json& json) {
  TensorJudgement tensor;
  tensor.judged = json.at("judged").get<Index>();
  tensor.rejected = json.value("rejected", Index{0});
  tensor.undecided = json.value("undecided", Index{0});
  tensor.accepted = tensor.judged - tensor.rejected - tensor.undecided;
  tensor.unbounded = json.value("unbounded", Index{0});
  tensor.worst_ratio = number_at(json, "worst_ratio");
  tensor.signed_error_sum = number_at(json, "signed_error_sum");
  tensor.bounded = json.value("bounded", Index{0});
  tensor.left = json.value("left", Index{0});
  tensor.single = json.value("single", Index{0});
  tensor.width_sum = number_at(json, "width_sum");
  return tensor;
}

void put_trouble(Json& json, const RunOutcome& outcome) {
  if (outcome.kind == RunOutcome::Kind::ran) return;
  json["ending"] = name_of(outcome.kind);
  json["trouble"] = outcome.detail;
}

RunOutcome trouble_from(const Json& json) {
  if (!json.contains("ending")) return {};
  const auto name = json.at("ending").get<std::string>();
  constexpr auto kLast = static_cast<std::uint8_t>(RunOutcome::Kind::malformed_reply);
  for (std::uint8_t kind = 0; kind <= kLast; ++kind) {
    const auto each = static_cast<RunOutcome::Kind>(kind);
    if (name_of(each) == name) return {each, json.value("trouble", "")};
  }
  refuse("no run ends as '" + name + "'");
}

Verdict verdict_from(const Json& json) {
  const auto name = json.at("verdict").get<std::string>();
  for (const Verdict verdict : {Verdict::accept, Verdict::reject, Verdict::undecided}) {
    if (name_of(verdict) == name) return verdict;
  }
  refuse("no verdict is '" + name + "'");
}

Json to_json(const LawResult& law) {
  Json json = {{"verdict", name_of(law.outcome.verdict)}, {"seconds", law.seconds}};
  if (law.outcome.verdict != Verdict::accept && !law.outcome.detail.empty()) {
    json["detail"] = law.outcome.detail;
  }
  if (!law.outcome.configuration.empty()) json["configuration"] = law.outcome.configuration;
  put_trouble(json, law.outcome.trouble);
  if (!law.outcome.judgement) return json;
  const Judgement& judgement = *law.outcome.judgement;
  Json tensors = Json::object();
  for (std::size_t n = 0; n < judgement.tensors().size(); ++n) {
    const TensorJudgement& tensor = *judgement.tensors()[n];
    if (tensor.judged + tensor.left == 0) continue;
    tensors[std::string(name_of(static_cast<OutputTensor>(n)))] = to_json(tensor);
  }
  json["judged"] = std::move(tensors);
  if (!judgement.assumed.empty()) json["assumed"] = judgement.assumed;
  return json;
}

LawOutcome outcome_from(const Json& json) {
  LawOutcome outcome;
  outcome.verdict = verdict_from(json);
  outcome.detail = json.value("detail", "");
  outcome.configuration = json.value("configuration", "");
  outcome.trouble = trouble_from(json);
  if (!json.contains("judged")) return outcome;
  Judgement judgement;
  for (int n = 0; n < 5; ++n) {
    const auto tensor = static_cast<OutputTensor>(n);
    const std::string name(name_of(tensor));
    if (json.at("judged").contains(name)) {
      judgement.of(tensor) = tensor_from(json.at("judged").at(name));
    }
  }
  judgement.assumed = json.value("assumed", std::vector<std::string>{});
  outcome.judgement = std::move(judgement);
  return outcome;
}

Json to_json(const SubjectResult& run) {
  if (run.unsupported) return {{"subject", run.subject->name()}, {"unsupported", *run.unsupported}};
  Json json = {{"subject", run.subject->name()},
               {"unit", name_of(run.unit)},
               {"schedule_seed", std::to_string(run.schedule_seed)},
               {"verdict", name_of(verdict_of(run))},
               {"key_tiles", run.key_tiles},
               {"seconds", run.seconds}};
  if (run.shared) json["shared"] = *run.shared;
  if (!run.digest.empty()) json["bits"] = run.digest;
  put_trouble(json, run.trouble);
  Json laws = Json::object();
  for (const LawResult& law : run.laws) laws[std::string(law.law->name)] = to_json(law);
  json["laws"] = std::move(laws);
  return json;
}

SubjectResult result_from(const Json& json, std::span<const Subject* const> subjects) {
  SubjectResult run;
  const auto name = json.at("subject").get<std::string>();
  const auto found = std::ranges::find_if(
      subjects, [&](const Subject* subject) { return subject->name() == name; });
  if (found == subjects.end()) refuse("'" + name + "' is no subject of this campaign");
  run.subject = *found;
  if (json.contains("unsupported")) {
    run.unsupported = json.at("unsupported").get<std::string>();
    return run;
  }
  const auto unit = unit_named(json.at("unit").get<std::string>());
  if (!unit) refuse("it names a unit that there is not");
  run.unit = *unit;
  run.schedule_seed = std::stoull(json.at("schedule_seed").get<std::string>());
  run.key_tiles = json.at("key_tiles").get<Index>();
  run.seconds = json.at("seconds").get<double>();
  if (json.contains("shared")) run.shared = json.at("shared").get<std::string>();
  run.digest = json.value("bits", "");
  run.trouble = trouble_from(json);
  for (const auto& [law, outcome] : json.at("laws").items()) {
    run.laws.push_back(
        {&law_named(law), outcome_from(outcome), outcome.at("seconds").get<double>()});
  }
  return run;
}

}  // namespace

std::string to_line(const CaseRecord& record) {
  Json json = {{"schema", kSchema},
               {"n", record.n},
               {"origin", name_of(record.origin)},
               {"case", record.text},
               {"id", record.result.id},
               {"schedule_seed", std::to_string(record.schedule_seed)},
               {"oracle_bits", record.result.bits},
               {"seconds", record.seconds},
               {"at", record.at},
               {"subjects", Json::array()}};
  for (const SubjectResult& run : record.result.subjects) json["subjects"].push_back(to_json(run));
  return json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

CaseRecord parse_record(std::string_view line, const CaseList& cases,
                        std::span<const Subject* const> subjects) {
  try {
    const Json json = Json::parse(line);
    if (json.at("schema") != kSchema) refuse("its schema is not " + std::string(kSchema));
    const auto n = json.at("n").get<Index>();
    if (n < 0 || n >= cases.size()) refuse("there is no such case");
    const NumberedCase one = cases.at(n);
    if (json.at("case") != one.text) refuse("it speaks of another case");
    CaseRecord record{n, one.origin, one.text, one.schedule_seed, {one.c, {}, 0, ""}};
    record.result.id = json.at("id").get<std::string>();
    record.result.bits = json.at("oracle_bits").get<int>();
    record.seconds = json.at("seconds").get<double>();
    record.at = json.at("at").get<double>();
    for (const Json& run : json.at("subjects")) {
      record.result.subjects.push_back(result_from(run, subjects));
    }
    return record;
  } catch (const Error&) {
    throw;
  } catch (const std::exception& error) {  // of the parser, or of std::stoull
    refuse(error.what());
  }
}

}  // namespace attest
