#include "judge/rivals.hpp"

#include <algorithm>
#include <cmath>

namespace attest {
namespace {

using Values = std::vector<double>;

// Equal infinities differ by nothing; a NaN differs by NaN, which no comparison accepts.
double difference(double a, double b) { return a == b ? 0 : std::fabs(a - b); }

// A NaN among the values wins, as it does in array libraries.
double largest(const Values& a, const Values& b) {
  double most = 0;
  for (std::size_t n = 0; n < a.size(); ++n) {
    const double d = difference(a[n], b[n]);
    if (!(d <= most)) most = d;
    if (std::isnan(most)) break;
  }
  return most;
}

double mean(const Values& a, const Values& b) {
  double sum = 0;
  for (std::size_t n = 0; n < a.size(); ++n) sum += difference(a[n], b[n]);
  return a.empty() ? 0 : sum / static_cast<double>(a.size());
}

bool all_close(const Values& a, const Values& b, double absolute, double relative) {
  for (std::size_t n = 0; n < a.size(); ++n) {
    if (!(difference(a[n], b[n]) <= absolute + relative * std::fabs(b[n]))) return false;
  }
  return true;
}

Values rounded(Format format, const Values& values) {
  Values all;
  for (const double x : values) all.push_back(round_to_format(format, x));
  return all;
}

bool is_half(const RuledOutputs& out) { return out.format == Format::f16; }

bool twice_the_companion(const RuledOutputs& out) {
  const Values due = rounded(out.format, out.exact_o);
  return largest(out.o, due) <= 2 * largest(out.companion_o, due) + 1e-5;
}

// The allowance is what one addition and one subtraction of 0.3 in the output's format leave.
bool twice_and_a_rounding(const RuledOutputs& out) {
  const Values due = rounded(out.format, out.exact_o);
  Values moved;
  for (const double x : due) {
    const double up = round_to_format(out.format, x + 0.3);
    moved.push_back(round_to_format(out.format, up - 0.3));
  }
  return largest(out.o, due) <= 2 * largest(out.companion_o, due) + 2 * largest(moved, due);
}

bool mean_of_the_companion(const RuledOutputs& out) {
  const double factor = out.format == Format::f32 ? 10 : 1.1;
  return mean(out.o, out.exact_o) <= factor * mean(out.companion_o, out.exact_o);
}

bool default_closeness(const RuledOutputs& out) {
  if (out.format == Format::f32) return all_close(out.o, out.exact_o, 1e-5, 1.3e-6);
  return all_close(out.o, out.exact_o, 1e-5, is_half(out) ? 1e-3 : 1.6e-2);
}

bool close_to_15_in_1000(const RuledOutputs& out) {
  const double limit = out.format == Format::bf16 ? 1.5e-2 : 1e-3;
  return all_close(out.o, out.exact_o, limit, limit);
}

bool close_to_10_in_1000(const RuledOutputs& out) {
  const double limit = out.format == Format::bf16 ? 1e-2 : 1e-3;
  return all_close(out.o, out.exact_o, limit, limit);
}

bool close_to_20_in_1000(const RuledOutputs& out) {
  return all_close(out.o, out.exact_o, 2e-2, 2e-2);
}

bool largest_and_mean(const RuledOutputs& out) {
  const auto holds = [](const Values& a, const Values& b) {
    return largest(a, b) < 1e-2 && mean(a, b) < 1e-3;
  };
  return holds(out.o, out.exact_o) && holds(out.lse, out.exact_lse);
}

bool squared_error(const RuledOutputs& out) {
  double error = 0, size = 0;
  for (std::size_t n = 0; n < out.o.size(); ++n) {
    const double d = difference(out.o[n], out.exact_o[n]);
    error += d * d;
    size += out.exact_o[n] * out.exact_o[n];
  }
  return error <= 5e-4 * size;
}

constexpr RivalRule kRules[] = {
    {"flash-attention 2", "Dao-AILab/flash-attention, tests/test_flash_attn.py",
     "max error <= 2 x companion's + 1e-5", twice_the_companion},
    {"flash-attention 3", "Dao-AILab/flash-attention, hopper/test_flash_attn.py",
     "max error <= 2 x companion's + 2 max|r + 0.3 - 0.3 - r|", twice_and_a_rounding},
    {"FlexAttention", "pytorch/pytorch, test/inductor/test_flex_attention.py",
     "mean error <= 1.1 x companion's", mean_of_the_companion},
    {"torch.testing", "pytorch/pytorch, torch/testing/_comparison.py",
     "each within 1e-5 + 1e-3 |x|, bf16 1.6e-2 |x|", default_closeness},
    {"TransformerEngine", "NVIDIA/TransformerEngine, tests/pytorch/attention/test_attention.py",
     "each within 1e-3 (1 + |x|), bf16 1.5e-2", close_to_15_in_1000},
    {"flashinfer", "flashinfer-ai/flashinfer, tests/attention",
     "each within 1e-3 (1 + |x|), bf16 1e-2", close_to_10_in_1000},
    {"cudnn-frontend", "NVIDIA/cudnn-frontend, test/python", "each within 2e-2 (1 + |x|)",
     close_to_20_in_1000},
    {"CUTLASS 77", "NVIDIA/cutlass, examples/77_blackwell_fmha",
     "max error < 1e-2 and mean error < 1e-3, of O and of LSE", largest_and_mean},
    {"llama.cpp", "ggml-org/llama.cpp, tests/test-backend-ops.cpp",
     "squared errors add up to <= 5e-4 of the squares", squared_error},
};

}  // namespace

std::span<const RivalRule> rival_rules() { return kRules; }

}  // namespace attest
