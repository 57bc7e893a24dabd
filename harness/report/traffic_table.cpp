#include "harness/report/traffic_table.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "harness/report/table.hpp"
#include "traffic/backward_traffic.hpp"
#include "traffic/work.hpp"

namespace attest {
namespace {

Traffic traffic_of(const MemoryUse& use, std::string_view tensor) {
  const auto found = std::ranges::find(use.traffic, tensor, &TensorTraffic::tensor);
  return found == use.traffic.end() ? Traffic{} : found->traffic;
}

std::string names_of(const TrafficRow& row) {
  std::string text;
  for (const std::string& name : row.subjects) text += (text.empty() ? "" : ", ") + name;
  return text;
}

TableRow totals(std::string_view tensor, Traffic counted, const std::optional<Traffic>& formula) {
  const auto by_formula = [&](std::int64_t Traffic::*bytes) {
    return formula ? std::to_string((*formula).*bytes) : std::string("none");
  };
  return {std::string(tensor), std::to_string(counted.bytes_read), by_formula(&Traffic::bytes_read),
          std::to_string(counted.bytes_written), by_formula(&Traffic::bytes_written)};
}

Traffic total(const MemoryUse& use) { return {bytes_read(use), bytes_written(use)}; }

std::string tensor_table(const PassTraffic& pass) {
  std::vector<TableRow> rows = {{"tensor", "read", "by formula", "written", "by formula"}};
  const auto of = [&](std::string_view tensor) {
    return pass.formula ? std::optional(traffic_of(*pass.formula, tensor)) : std::nullopt;
  };
  for (const TensorTraffic& each : pass.counted.traffic) {
    rows.push_back(totals(each.tensor, each.traffic, of(each.tensor)));
  }
  rows.push_back(totals("all", total(pass.counted),
                        pass.formula ? std::optional(total(*pass.formula)) : std::nullopt));
  return align_table(rows);
}

std::string intensity(Index flops, const MemoryUse& use) {
  const Index bytes = bytes_moved(use);
  if (bytes == 0) return "-";
  return fmt::format("{:.2f}", static_cast<double>(flops) / static_cast<double>(bytes));
}

std::string pass_report(std::string_view name, const TrafficRow& row, const PassTraffic& pass,
                        Index flops) {
  return fmt::format(
      "{} of {}\n{}{} flops, {} a byte; on chip {} of {} bytes a block; scratch {} bytes\n{}\n",
      name, names_of(row), tensor_table(pass), flops, intensity(flops, pass.counted),
      pass.counted.shared_bytes, kOnChipBudget, pass.counted.scratch_bytes,
      !pass.formula   ? "no formula\n"
      : pass.agrees() ? "counts and formulas agree\n"
                      : "COUNTS AND FORMULAS DIFFER\n");
}

}  // namespace

std::string traffic_report(const ProblemTraffic& traffic) {
  const Problem& p = traffic.problem;
  std::string text = to_string(p) + "\n\n";
  for (const TrafficRow& row : traffic.rows) {
    text += pass_report("forward", row, row.forward, forward_flops(p));
    if (row.backward) {
      text += pass_report("backward", row, *row.backward, backward_flops(p));
    }
  }
  if (p.pass == Pass::bwd) {
    text +=
        fmt::format("saved by a forward for the backward: {} bytes of O and LSE\n", saved_bytes(p));
  }
  for (const auto& [subject, why] : traffic.uncounted) {
    text += fmt::format("not counted: {}: {}\n", subject, why);
  }
  return text;
}

}  // namespace attest
