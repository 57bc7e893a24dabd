#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <optional>
#include <string>

#include "core/error.hpp"
#include "harness/cli/commands.hpp"
#include "harness/cli/options.hpp"
#include "kernels/attention/dispatch.hpp"

namespace attest {
namespace {

constexpr int kNothingSelected = 5;

struct Options {
  std::string problem;
  bool json = false;
  std::optional<Index> tile_q;  // nothing: those of the chosen kernel
  std::optional<Index> tile_k;
};

Index tile_or(const char* option, std::optional<Index> given, Index of_kernel) {
  if (given && *given < 1) {
    throw Error(Blame::usage, fmt::format("{} takes at least 1, not {}", option, *given));
  }
  return given.value_or(of_kernel);
}

void print_text(const Dispatch& d, const TileCounts& n, Index tile_q, Index tile_k) {
  fmt::print("path     {}\n", name_of(*d.path));
  fmt::print("because  {}\n", d.reason);
  fmt::print("scores   {}, {} of them live\n", n.scores, n.live_scores);
  fmt::print("tiles    {} of {} x {}, {} of them live; {} of queries\n", n.tiles, tile_q, tile_k,
             n.live_tiles, n.query_tiles);
  fmt::print("blocks   {}\n", d.blocks);
  if (d.parts.part_k > 0) {
    fmt::print("parts    {} of {} keys\n", d.parts.parts, d.parts.part_k);
  } else {
    fmt::print("parts    1\n");
  }
}

// Neither a problem's text nor a reason holds anything that JSON would escape.
void print_json(const Problem& p, const Dispatch& d, const TileCounts& n, Index tile_q,
                Index tile_k) {
  fmt::print(R"({{"schema": "attest.plan/1", "problem": "{}", "path": "{}", "reason": "{}", )",
             to_string(p), name_of(*d.path), d.reason);
  fmt::print(R"("scores": {}, "live_scores": {}, "tile_q": {}, "tile_k": {}, "query_tiles": {}, )",
             n.scores, n.live_scores, tile_q, tile_k, n.query_tiles);
  fmt::print(R"("heads_of_tile": {}, )", d.heads_of_tile);
  fmt::print(R"("tiles": {}, "live_tiles": {}, "blocks": {}, "parts": {}, "part_k": {}}})", n.tiles,
             n.live_tiles, d.blocks, d.parts.parts, d.parts.part_k);
  fmt::print("\n");
}

int plan(const Options& options) {
  const Problem p = parse_problem_or_case(options.problem);
  const Dispatch d = dispatch(p);
  const Index tile_q = tile_or("--tile-q", options.tile_q, d.tile_q);
  const Index tile_k = tile_or("--tile-k", options.tile_k, d.tile_k);
  if (!d.path) {
    fmt::print("no kernel takes it: {}\n", d.reason);
    return kNothingSelected;
  }
  if (static_cast<double>(p.batch * p.heads_q) * static_cast<double>(p.n_q) *
          static_cast<double>(p.n_k) >
      0x1p62) {
    throw Error(Blame::usage, "more than 2^62 scores are too many to count");
  }
  const TileCounts counts = count_tiles(p, tile_q, tile_k, d.heads_of_tile);
  if (options.json) {
    print_json(p, d, counts, tile_q, tile_k);
  } else {
    print_text(d, counts, tile_q, tile_k);
  }
  return 0;
}

}  // namespace

void add_plan_command(CLI::App& app, Chosen& chosen) {
  CLI::App* command = app.add_subcommand(
      "plan", "say which kernel a problem goes to and why, with its scores, tiles and blocks");
  auto options = std::make_shared<Options>();
  command
      ->add_option("problem", options->problem,
                   "a case string, or only its problem: up to its pass")
      ->required();
  command->add_flag("--json", options->json, "one JSON object");
  command->add_option("--tile-q", options->tile_q, "count tiles of so many query rows instead");
  command->add_option("--tile-k", options->tile_k, "count tiles of so many keys instead");
  command->footer(
      "Example: attest plan 'attest1:b=1;hq=32;hk=8;nq=1;nk=4096;dqk=128;dv=128;in=bf16;out=bf16;\n"
      "scale=0x1p-3;left=inf;right=inf;align=br;pass=fwd'");
  command->callback([&chosen, options] { chosen = [options] { return plan(*options); }; });
}

}  // namespace attest
