#include "harness/subjects/isolation/plugin_library.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <exception>
#include <limits>

#include "harness/subjects/include/attest/subject.h"
#include "harness/subjects/isolation/call_shapes.hpp"

namespace attest {
namespace {

constexpr std::string_view kNameLetters =
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./";

using Kind = WorkerReply::Kind;

constexpr char kSymbol[] = "attest_plugin_table";
// What every version 1 had; later fields may be missing.
constexpr std::size_t kFirstTable = offsetof(attest_plugin, subjects) + sizeof(void*);
constexpr std::size_t kFirstSubject = offsetof(attest_subject, backward) + sizeof(void*);
constexpr std::uint32_t kMostSubjects = 1000;
constexpr std::size_t kRoomForMessage = 4096;

WorkerReply reply(Kind kind, std::string detail) { return {0, kind, std::move(detail), 0, {}}; }

// The subject as far as its library knows it, what it does not know being zero.
attest_subject known_part(const attest_subject& subject) {
  attest_subject known{};
  std::memcpy(&known, &subject, std::min<std::size_t>(subject.struct_size, sizeof known));
  return known;
}

std::string text_or_empty(const char* text) { return text == nullptr ? "" : text; }

attest_dtype dtype_of(Format format) {
  switch (format) {
    case Format::f64: return {ATTEST_FLOAT, 64, 1};
    case Format::f32: return {ATTEST_FLOAT, 32, 1};
    case Format::f16: return {ATTEST_FLOAT, 16, 1};
    case Format::bf16: return {ATTEST_BFLOAT, 16, 1};
    case Format::e4m3: return {ATTEST_FLOAT8_E4M3FN, 8, 1};
    case Format::e5m2: return {ATTEST_FLOAT8_E5M2, 8, 1};
    case Format::tf32: break;  // has no dtype of its own, so that no capability names it
  }
  return {};
}

// The C view of a problem, and of what else the call is told, which outlives it.
attest_problem c_problem(const Problem& p, const std::string& configuration) {
  attest_problem c{};
  c.struct_size = sizeof c;
  c.batch = p.batch;
  c.heads_q = p.heads_q;
  c.heads_k = p.heads_k;
  c.n_q = p.n_q;
  c.n_k = p.n_k;
  c.d_qk = p.d_qk;
  c.d_v = p.d_v;
  c.left = p.left;
  c.right = p.right;
  c.lq = p.lq.empty() ? nullptr : p.lq.data();
  c.lk = p.lk.empty() ? nullptr : p.lk.data();
  c.scale = p.scale;
  c.align = p.align == Align::top_left ? ATTEST_TOP_LEFT : ATTEST_BOTTOM_RIGHT;
  c.in = dtype_of(p.in);
  c.out = dtype_of(p.out);
  c.configuration = configuration.empty() ? nullptr : configuration.c_str();
  return c;
}

// Tensors with the arrays that they point to, in place for as long as a call takes.
class CTensors {
 public:
  CTensors(const std::vector<CallShape>& shapes, const std::vector<std::byte*>& addresses) {
    tensors_.resize(shapes.size());
    for (std::size_t n = 0; n < shapes.size(); ++n) {
      Arrays& arrays = arrays_[n];
      arrays = {shapes[n].extents, row_major(shapes[n].extents)};
      tensors_[n] = {addresses[n],        {ATTEST_DEVICE_CPU, 0}, 4, dtype_of(shapes[n].format),
                     arrays.shape.data(), arrays.strides.data(),  0};
    }
  }
  // Null where there is none.
  const attest_tensor* operator[](std::size_t n) const {
    return n < tensors_.size() ? &tensors_[n] : nullptr;
  }

 private:
  struct Arrays {
    Extents shape, strides;
  };
  static constexpr std::size_t kMost = 7;

  std::array<Arrays, kMost> arrays_{};
  std::vector<attest_tensor> tensors_;
};

// What a call's own words and its code amount to.
WorkerReply reply_of(std::int32_t code, const std::array<char, kRoomForMessage>& message) {
  const std::string said(message.data(), strnlen(message.data(), message.size()));
  switch (code) {
    case ATTEST_OK: return reply(Kind::done, "");
    case ATTEST_UNSUPPORTED:
      return reply(Kind::unsupported, said.empty() ? "it declines this problem" : said);
    case ATTEST_FAILED: return reply(Kind::failed, said.empty() ? "without a word" : said);
    default: return reply(Kind::failed, "returned " + std::to_string(code) + ", which is no code");
  }
}

class PluginCallee final : public Callee {
 public:
  explicit PluginCallee(const std::filesystem::path& library) {
    void* const handle = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (handle == nullptr) {
      defect_ = text_or_empty(dlerror());
      return;
    }
    const auto table = reinterpret_cast<const attest_plugin* (*)()>(dlsym(handle, kSymbol));
    if (table == nullptr) {
      defect_ = std::string("it exports no function ") + kSymbol;
      return;
    }
    defect_ = read_table(table());
  }

  WorkerReply describe() override {
    if (!defect_.empty()) return reply(Kind::failed, defect_);
    WorkerReply all = reply(Kind::done, "");
    for (const attest_subject& subject : subjects_) {
      all.subjects.push_back({text_or_empty(subject.name), text_or_empty(subject.about),
                              text_or_empty(subject.capabilities), text_or_empty(subject.semantics),
                              text_or_empty(subject.numerics), text_or_empty(subject.promises),
                              subject.backward != nullptr, subject.workspace_bytes != nullptr,
                              text_or_empty(subject.configurations)});
    }
    return all;
  }

  WorkerReply workspace(const WorkerRequest& request, const Problem& problem) override {
    const attest_subject* const subject = named(request.subject);
    if (subject == nullptr || subject->workspace_bytes == nullptr) {
      return reply(Kind::failed, "no such question");
    }
    const attest_problem c = c_problem(problem, request.settings.configuration);
    std::uint64_t bytes = 0;
    const std::int32_t code = subject->workspace_bytes(
        &c, request.pass == Pass::fwd ? ATTEST_FORWARD : ATTEST_BACKWARD, &bytes);
    WorkerReply answer = reply_of(code, {});
    answer.workspace_bytes = bytes;
    return answer;
  }

  WorkerReply call(const WorkerRequest& request, const Problem& problem,
                   const CallMemory& memory) override {
    const attest_subject* const subject = named(request.subject);
    if (subject == nullptr) return reply(Kind::failed, "no subject " + request.subject);
    const attest_problem c = c_problem(problem, request.settings.configuration);
    const CTensors in(input_shapes(problem, request.step), memory.inputs);
    const CTensors out(output_shapes(problem, request.step), memory.outputs);
    std::array<char, kRoomForMessage> message{};
    std::int32_t code = ATTEST_FAILED;
    if (request.step == WorkerStep::forward) {
      const attest_forward_call call = {sizeof call,
                                        &c,
                                        in[0],
                                        in[1],
                                        in[2],
                                        out[0],
                                        out[1],
                                        memory.workspace,
                                        memory.workspace_bytes,
                                        nullptr,
                                        message.data(),
                                        message.size()};
      code = subject->forward(&call);
    } else {
      const attest_backward_call call = {sizeof call,
                                         &c,
                                         in[0],
                                         in[1],
                                         in[2],
                                         in[3],
                                         in[4],
                                         in[5],
                                         in[6],
                                         out[0],
                                         out[1],
                                         out[2],
                                         memory.workspace,
                                         memory.workspace_bytes,
                                         nullptr,
                                         message.data(),
                                         message.size()};
      code = subject->backward(&call);
    }
    return reply_of(code, message);
  }

 private:
  // Empty when the table is sound.
  std::string read_table(const attest_plugin* table) {
    if (table == nullptr) return std::string(kSymbol) + " returned no table";
    if (table->abi_major != ATTEST_ABI_MAJOR) {
      return "it speaks version " + std::to_string(table->abi_major) +
             " of attest/subject.h, and this attest speaks " + std::to_string(ATTEST_ABI_MAJOR);
    }
    if (table->struct_size < kFirstTable) {
      return "its table has struct_size " + std::to_string(table->struct_size) + ", below " +
             std::to_string(kFirstTable);
    }
    if (table->subject_count == 0 || table->subject_count > kMostSubjects ||
        table->subjects == nullptr) {
      return "its table has " + std::to_string(table->subject_count) + " subjects";
    }
    for (std::uint32_t n = 0; n < table->subject_count; ++n) {
      if (std::string defect = read_subject(table->subjects[n]); !defect.empty()) {
        return "subject " + std::to_string(n) + " of its table " + defect;
      }
    }
    return {};
  }

  std::string read_subject(const attest_subject* subject) {
    if (subject == nullptr) return "is missing";
    if (subject->struct_size < kFirstSubject) {
      return "has struct_size " + std::to_string(subject->struct_size) + ", below " +
             std::to_string(kFirstSubject);
    }
    subjects_.push_back(known_part(*subject));
    const std::string name = text_or_empty(subjects_.back().name);
    if (name.empty()) return "has no name";
    if (name.find_first_not_of(kNameLetters) != std::string::npos) {
      return "is named '" + name + "', which has others than letters, digits, '-', '_', '.', '/'";
    }
    if (subjects_.back().forward == nullptr) return "has no forward";
    return {};
  }

  [[nodiscard]] const attest_subject* named(const std::string& name) const {
    const auto found = std::ranges::find_if(
        subjects_, [&](const attest_subject& subject) { return name == subject.name; });
    return found == subjects_.end() ? nullptr : &*found;
  }

  std::string defect_;
  std::vector<attest_subject> subjects_;
};

}  // namespace

std::unique_ptr<Callee> plugin_callee(const std::filesystem::path& library) {
  return std::make_unique<PluginCallee>(library);
}

}  // namespace attest
