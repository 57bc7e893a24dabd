#include "harness/report/kept_report.hpp"

#include <cmath>
#include <nlohmann/json.hpp>

#include "core/error.hpp"
#include "core/file_bytes.hpp"
#include "core/hex_float.hpp"

namespace attest {
namespace {

using Json = nlohmann::json;

constexpr std::string_view kSchema = "attest.report/1";

[[noreturn]] void refuse(const std::string& why) { throw Error(Blame::usage, why); }

LawCounts counts_from(const Json& json) {
  LawCounts counts;
  counts.accepted = json.at("accepted").get<Index>();
  counts.rejected = json.at("rejected").get<Index>();
  counts.undecided = json.at("undecided").get<Index>();
  if (json.contains("worst_ratio")) {
    counts.worst_ratio = parse_number(json.at("worst_ratio").get<std::string>());
    if (!counts.worst_ratio || std::isnan(*counts.worst_ratio)) {
      refuse("a worst_ratio is no number");
    }
  }
  return counts;
}

KeptRow row_from(const Json& json, KeptReport& report) {
  KeptRow row;
  row.laws["run"] = kept_run(json.at("troubled").get<Index>());
  for (const auto& [name, law] : json.at("laws").items())
    row.laws[name] = kept_law(counts_from(law));
  if (!json.contains("bits")) {
    report.has_bits = report.has_ratios = false;  // they came together
    return row;
  }
  row.digests = json.at("bits").get<std::map<std::string, std::string>>();
  return row;
}

KeptReport report_from(const Json& json) {
  if (!json.is_object() || !json.contains("schema")) refuse("names no schema");
  if (json.at("schema") != kSchema) {
    refuse("schema " + json.at("schema").dump(-1, ' ', true, Json::error_handler_t::replace) +
           " is not " + std::string(kSchema));
  }
  if (json.at("command") != "check") refuse("is no report of attest check");
  KeptReport report;
  report.title =
      "tier " + json.at("tier").get<std::string>() + ", seed " + json.at("seed").get<std::string>();
  for (const Json& row : json.at("subjects")) {
    const auto word = [&](const char* key) { return row.at(key).get<std::string>(); };
    const std::string name =
        word("subject") + " " + word("format") + " " + word("unit") + " " + word("pass");
    report.rows[name] = row_from(row, report);
  }
  return report;
}

}  // namespace

KeptLaw kept_law(const LawCounts& counts) {
  if (counts.rejected > 0) return {"reject", counts.worst_ratio};
  if (counts.undecided > 0) return {"undecided", counts.worst_ratio};
  return {counts.accepted > 0 ? "accept" : "no case", counts.worst_ratio};
}

KeptLaw kept_run(Index troubled) { return {troubled > 0 ? "reject" : "accept", std::nullopt}; }

KeptReport parse_kept_report(std::string_view text) {
  try {
    return report_from(Json::parse(text));
  } catch (const Json::exception& error) {
    refuse(std::string("cannot be read: ") + error.what());
  }
}

KeptReport read_kept_report(const std::filesystem::path& file) {
  try {
    const std::vector<std::byte> bytes = read_file(file, Blame::usage);
    return parse_kept_report({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  } catch (const Error& error) {
    refuse("earlier report " + file.string() + ": " + error.what());
  }
}

}  // namespace attest
