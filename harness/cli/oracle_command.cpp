#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "core/hex_float.hpp"
#include "harness/campaign/failure.hpp"
#include "harness/campaign/refine.hpp"
#include "harness/cli/cache_option.hpp"
#include "harness/cli/commands.hpp"
#include "harness/cli/options.hpp"
#include "harness/cli/progress_line.hpp"

namespace attest {
namespace {

std::string text_of(OutputClass c, const Enclosure& e) {
  switch (c) {
    case OutputClass::finite:
      return fmt::format("[{}, {}]  about {:.12g}", to_hex(e.lo), to_hex(e.hi),
                         e.lo / 2 + e.hi / 2);
    case OutputClass::nan: return "NaN";
    case OutputClass::plus_inf: return "+inf";
    case OutputClass::minus_inf: return "-inf";
    case OutputClass::undefined: return "undefined";
    case OutputClass::dead: return "dead";
    case OutputClass::beyond: return "beyond the length";
  }
  return "";
}

void print_row(const Problem& p, const Answer& answer, Index b, Index h, Index i) {
  const std::size_t row = row_index(p, b, h, i);
  const RowMoments& moments = answer.rows[row];
  fmt::print("row b={} h={} i={}: {} live keys", b, h, i, moments.live_keys);
  if (moments.live_keys > 0) {
    fmt::print(" in {}..{}, max score {:.9g} at j={}, oracle {} bits", moments.first_live,
               moments.last_live, moments.max_score.lo / 2 + moments.max_score.hi / 2,
               moments.argmax, answer.bits[row]);
  }
  fmt::print("\n  lse      {}\n", text_of(answer.lse_class[row], answer.lse[row]));
  for (Index k = 0; k < p.d_v; ++k) {
    const std::size_t element = row * static_cast<std::size_t>(p.d_v) + k;
    fmt::print("  o[d={}]  {}\n", k, text_of(answer.o_class[element], answer.o[element]));
  }
}

void print_gradient(std::string_view name, const Extents& extents, char row_letter,
                    const GradientAnswer& answer) {
  std::size_t element = 0;
  for (Index b = 0; b < extents[0]; ++b) {
    for (Index h = 0; h < extents[1]; ++h) {
      for (Index row = 0; row < extents[2]; ++row) {
        fmt::print("{} b={} h={} {}={}\n", name, b, h, row_letter, row);
        for (Index column = 0; column < extents[3]; ++column, ++element) {
          fmt::print("  {}[d={}]  {}\n", name, column,
                     text_of(answer.classes[element], answer.values[element]));
        }
      }
    }
  }
}

struct OracleOptions {
  std::string case_text;
  CacheOption cache;
};

int oracle(const OracleOptions& options) {
  const Case c = parse_case(options.case_text);
  const Problem& p = c.problem;
  const KeptAnswers kept(options.cache);
  const Exact exact = [&] {
    StageLine line;
    line.enter(fmt::format("the exact answer of {} rows", p.batch * p.heads_q * p.n_q));
    return enclose(p, inputs_of(c, state_folder()), kept.oracle());
  }();
  for (Index b = 0; b < p.batch; ++b) {
    for (Index h = 0; h < p.heads_q; ++h) {
      for (Index i = 0; i < p.n_q; ++i) print_row(p, exact.answer, b, h, i);
    }
  }
  if (exact.gradients) {
    print_gradient("dq", p.q_extents(), 'i', exact.gradients->dq);
    print_gradient("dk", p.k_extents(), 'j', exact.gradients->dk);
    print_gradient("dv", p.v_extents(), 'j', exact.gradients->dv);
  }
  return 0;
}

}  // namespace

void add_oracle_command(CLI::App& app, Chosen& chosen) {
  CLI::App* command =
      app.add_subcommand("oracle", "print the proved enclosure of every output of one case");
  auto options = std::make_shared<OracleOptions>();
  command->add_option("case", options->case_text, "a case string")->required();
  add_cache_option(*command, options->cache);
  command->footer(
      "Example: attest oracle 'attest1:b=1;hq=1;hk=1;nq=2;nk=3;dqk=1;dv=1;in=f16;out=f16;\n"
      "scale=0x1p+0;left=inf;right=inf;align=tl;pass=bwd;family=F0;seed=1'");
  command->callback([&chosen, options] { chosen = [options] { return oracle(*options); }; });
}

}  // namespace attest
