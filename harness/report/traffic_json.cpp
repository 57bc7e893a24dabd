#include "harness/report/traffic_json.hpp"

#include <nlohmann/json.hpp>

#include "traffic/backward_traffic.hpp"
#include "traffic/work.hpp"

namespace attest {
namespace {

using Json = nlohmann::ordered_json;

Json use_of(const MemoryUse& use) {
  Json tensors = Json::object();
  for (const auto& [tensor, traffic] : use.traffic) {
    tensors[tensor] = {{"read", traffic.bytes_read}, {"written", traffic.bytes_written}};
  }
  return {{"tensors", tensors},
          {"read", bytes_read(use)},
          {"written", bytes_written(use)},
          {"on_chip", use.shared_bytes},
          {"scratch", use.scratch_bytes}};
}

Json pass_of(const PassTraffic& pass) {
  Json json = {{"counted", use_of(pass.counted)}};
  if (pass.formula) json["formula"] = use_of(*pass.formula);
  json["agree"] = pass.agrees();
  return json;
}

Json problem_of(const ProblemTraffic& traffic) {
  const Problem& p = traffic.problem;
  Json json = {{"problem", to_string(p)}, {"forward_flops", forward_flops(p)}};
  if (p.pass == Pass::bwd) {
    json["backward_flops"] = backward_flops(p);
    json["saved"] = saved_bytes(p);
  }
  json["subjects"] = Json::array();
  for (const TrafficRow& row : traffic.rows) {
    Json subject = {{"names", row.subjects}, {"forward", pass_of(row.forward)}};
    if (row.backward) subject["backward"] = pass_of(*row.backward);
    json["subjects"].push_back(subject);
  }
  json["not_counted"] = Json::object();
  for (const auto& [subject, why] : traffic.uncounted) json["not_counted"][subject] = why;
  return json;
}

}  // namespace

std::string traffic_json(std::span<const ProblemTraffic> problems) {
  Json json = {{"schema", "attest.traffic/1"}, {"on_chip_budget", kOnChipBudget}};
  json["problems"] = Json::array();
  for (const ProblemTraffic& problem : problems) json["problems"].push_back(problem_of(problem));
  return json.dump(2) + "\n";
}

}  // namespace attest
