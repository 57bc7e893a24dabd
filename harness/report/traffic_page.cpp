// The page of Markdown that `attest traffic --sweep` prints: docs/traffic-sweep.md.
#include <fmt/format.h>

#include <algorithm>

#include "harness/report/traffic_table.hpp"
#include "traffic/backward_traffic.hpp"
#include "traffic/crossover.hpp"
#include "traffic/work.hpp"

namespace attest {
namespace {

constexpr std::string_view kHead =
    "# Traffic, counted and by formula\n\n"
    "What `attest traffic --sweep` prints. [traffic.md](traffic.md) derives the formulas and says "
    "what is counted.\nA cell is `bytes read / bytes written`, as the emulator counted them; where "
    "a formula gave anything else,\nit would stand behind `!=`. *tiled (7)*: seven subjects, "
    "`tiled` the first of them, have the same counts.\n\n";

constexpr Index kMostKeys = 1 << 13;

std::string text_of(Traffic traffic) {
  return fmt::format("{} / {}", traffic.bytes_read, traffic.bytes_written);
}

std::optional<Traffic> traffic_of(const MemoryUse& use, std::string_view tensor) {
  const auto found = std::ranges::find(use.traffic, tensor, &TensorTraffic::tensor);
  if (found == use.traffic.end()) return std::nullopt;
  return found->traffic;
}

std::string cell(const std::optional<Traffic>& counted, const std::optional<Traffic>& formula) {
  const std::string text = counted ? text_of(*counted) : "";
  return counted == formula ? text
                            : fmt::format("{} != {}", text, formula ? text_of(*formula) : "none");
}

std::string cell(Index counted, const std::optional<Index>& formula) {
  if (counted == formula) return std::to_string(counted);
  return fmt::format("{} != {}", counted, formula ? std::to_string(*formula) : "none");
}

using Column = std::pair<std::string, const PassTraffic*>;

// The pass that the problem is there for.
std::vector<Column> columns_of(const ProblemTraffic& traffic) {
  std::vector<Column> columns;
  for (const TrafficRow& row : traffic.rows) {
    const std::size_t count = row.subjects.size();
    const std::string name =
        row.subjects.front() + (count > 1 ? fmt::format(" ({})", count) : std::string());
    columns.emplace_back(name, row.backward ? &*row.backward : &row.forward);
  }
  return columns;
}

// Every tensor that a column has, in the order of first mention.
std::vector<std::string> tensors_of(const std::vector<Column>& columns) {
  std::vector<std::string> names;
  for (const auto& [name, pass] : columns) {
    for (const TensorTraffic& each : pass->counted.traffic) {
      if (std::ranges::find(names, each.tensor) == names.end()) names.push_back(each.tensor);
    }
  }
  return names;
}

template <class Cell>
std::string line(std::string_view name, const std::vector<Column>& columns, Cell of) {
  std::string text = fmt::format("| {} |", name);
  for (const auto& [subject, pass] : columns) text += " " + of(subject, *pass) + " |";
  return text + "\n";
}

// The same of counts and of formulas, where there are any.
template <class Of>
auto both(Of of) {
  return [of](const std::string&, const PassTraffic& pass) {
    using Value = decltype(of(pass.counted));
    return cell(of(pass.counted),
                pass.formula ? std::optional<Value>(of(*pass.formula)) : std::nullopt);
  };
}

std::string table_of(const ProblemTraffic& traffic) {
  const std::vector<Column> columns = columns_of(traffic);
  const bool backward = traffic.problem.pass == Pass::bwd;
  const Index flops = backward ? backward_flops(traffic.problem) : forward_flops(traffic.problem);
  std::string text =
      line("bytes of", columns, [](const std::string& name, const auto&) { return name; });
  text += line("---", columns, [](const auto&, const auto&) { return std::string("---"); });
  for (const std::string& tensor : tensors_of(columns)) {
    text += line(tensor, columns, [&](const auto&, const PassTraffic& pass) {
      return cell(traffic_of(pass.counted, tensor),
                  pass.formula ? traffic_of(*pass.formula, tensor) : std::nullopt);
    });
  }
  text += line("all", columns, [&](const auto&, const PassTraffic& pass) {
    const auto total = [](const MemoryUse& use) {
      return std::optional(Traffic{bytes_read(use), bytes_written(use)});
    };
    return cell(total(pass.counted), pass.formula ? total(*pass.formula) : std::nullopt);
  });
  text += line("flops a byte", columns, [&](const auto&, const PassTraffic& pass) {
    const Index bytes = bytes_moved(pass.counted);
    return bytes == 0
               ? std::string("-")
               : fmt::format("{:.2f}", static_cast<double>(flops) / static_cast<double>(bytes));
  });
  text += line("on chip, a block", columns,
               both([](const MemoryUse& use) { return Index{use.shared_bytes}; }));
  text += line("scratch", columns, both([](const MemoryUse& use) { return use.scratch_bytes; }));
  return text;
}

std::string found(const std::optional<Index>& n) { return n ? std::to_string(*n) : "-"; }

std::string crossover_table() {
  std::string text = fmt::format(
      "## From which n on tiling pays\n\nOne head of n queries and n keys, no mask, 16 bits, n up "
      "to "
      "{}. *first*: the first n at which `tiled` moves fewer\nbytes than its rival. *always from*: "
      "from there on it does at every n; - where it does not at the last. The ideal\nrival stores "
      "S "
      "in 16 bits and reads each operand of a product, and no length, once: no kernel here "
      "does.\n\n"
      "| d | `materialising`: first | always from | ideal: first | always from | "
      "bytes at n = 4096 | of `materialising` | of the ideal |\n"
      "| --- | --- | --- | --- | --- | --- | --- | --- |\n",
      kMostKeys);
  for (const Index d : {32, 64, 96, 128, 192, 256}) {
    const Crossover bundled = crossover(Rival::materialising, d, kMostKeys);
    const Crossover ideal = crossover(Rival::ideal_in_16_bits, d, kMostKeys);
    text += fmt::format("| {} | {} | {} | {} | {} | {} | {} | {} |\n", d,
                        found(bundled.first_fewer), found(bundled.always_fewer),
                        found(ideal.first_fewer), found(ideal.always_fewer), tiled_bytes(4096, d),
                        rival_bytes(Rival::materialising, 4096, d),
                        rival_bytes(Rival::ideal_in_16_bits, 4096, d));
  }
  return text + "\n";
}

}  // namespace

std::string traffic_page(std::span<const SweptTraffic> sweep) {
  std::string text = std::string(kHead) + crossover_table();
  for (const auto& [about, traffic] : sweep) {
    const Problem& p = traffic.problem;
    const bool backward = p.pass == Pass::bwd;
    const Index flops = backward ? backward_flops(p) : forward_flops(p);
    text += fmt::format("## {}: {}\n\n`{}`\n\n", backward ? "Backward" : "Forward", about,
                        to_string(p));
    text += fmt::format("{} flops on live pairs.", flops);
    if (backward) text += fmt::format(" The forward saves {} bytes for it.", saved_bytes(p));
    text += "\n\n" + table_of(traffic) + "\n";
  }
  return text;
}

}  // namespace attest
