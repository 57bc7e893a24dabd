#include "harness/subjects/isolation/messages.hpp"

#include <cstring>

namespace attest {
namespace {

// Numbers in eight bytes each, strings behind their length, rows behind their count.
class Writer {
 public:
  void put(std::uint64_t number) {
    const std::size_t at = message_.size();
    message_.resize(at + sizeof number);
    std::memcpy(message_.data() + at, &number, sizeof number);
  }
  void put(const std::string& text) {
    put(std::uint64_t{text.size()});
    const std::size_t at = message_.size();
    message_.resize(at + text.size());
    if (!text.empty()) std::memcpy(message_.data() + at, text.data(), text.size());
  }
  template <class Row>
  void put_rows(const std::vector<Row>& rows) {
    put(std::uint64_t{rows.size()});
    for (const Row& row : rows) put(row);
  }
  void put(const Slice& s) {
    for (const std::uint64_t number : {s.file, s.address, s.pages, s.begin, s.size}) put(number);
    put(std::uint64_t{s.writable});
  }
  void put(const DeclaredSubject& s) {
    for (const std::string* text :
         {&s.name, &s.about, &s.capabilities, &s.semantics, &s.numerics, &s.promises}) {
      put(*text);
    }
    put(std::uint64_t{s.has_backward});
    put(std::uint64_t{s.has_workspace});
    put(s.configurations);
  }
  [[nodiscard]] Bytes take() { return std::move(message_); }

 private:
  Bytes message_;
};

// Once something is missing, or a value is none of its kind, the whole message is unsound.
class Reader {
 public:
  explicit Reader(const Bytes& message) : message_(message) {}

  void get(std::uint64_t& number) {
    if (left() < sizeof number) return fail();
    std::memcpy(&number, message_.data() + at_, sizeof number);
    at_ += sizeof number;
  }
  void get(std::string& text) {
    std::uint64_t size = 0;
    get(size);
    if (left() < size) return fail();
    text.assign(reinterpret_cast<const char*>(message_.data()) + at_, size);
    at_ += size;
  }
  void get(bool& flag) { get_below(flag, 2); }
  // A number below `end` as a value of another kind.
  template <class Value>
  void get_below(Value& value, std::uint64_t end) {
    std::uint64_t number = 0;
    get(number);
    if (number >= end) return fail();
    value = static_cast<Value>(number);
  }
  // A row takes at least one number, so that a count that lies is refused before it costs memory.
  template <class Row>
  void get_rows(std::vector<Row>& rows) {
    std::uint64_t count = 0;
    get(count);
    if (left() / sizeof count < count) return fail();
    rows.resize(count);
    for (Row& row : rows) get(row);
  }
  void get(Slice& s) {
    for (std::uint64_t* number : {&s.file, &s.address, &s.pages, &s.begin, &s.size}) get(*number);
    get(s.writable);
  }
  void get(DeclaredSubject& s) {
    for (std::string* text :
         {&s.name, &s.about, &s.capabilities, &s.semantics, &s.numerics, &s.promises}) {
      get(*text);
    }
    get(s.has_backward);
    get(s.has_workspace);
    get(s.configurations);
  }
  [[nodiscard]] bool read_everything() const { return sound_ && left() == 0; }

 private:
  [[nodiscard]] std::size_t left() const { return message_.size() - at_; }
  void fail() {
    sound_ = false;
    at_ = message_.size();
  }

  const Bytes& message_;
  std::size_t at_ = 0;
  bool sound_ = true;
};

constexpr std::uint64_t kSteps = 4, kPasses = 2, kKinds = 4, kMostThreads = 1 << 20;

}  // namespace

Bytes encode(const WorkerRequest& r) {
  Writer writer;
  writer.put(r.token);
  writer.put(static_cast<std::uint64_t>(r.step));
  writer.put(static_cast<std::uint64_t>(r.pass));
  writer.put(r.subject);
  writer.put(r.problem);
  writer.put(static_cast<std::uint64_t>(r.settings.unit));
  writer.put(r.settings.schedule_seed);
  writer.put(static_cast<std::uint64_t>(r.settings.threads));
  writer.put(std::uint64_t{r.settings.watch});
  writer.put(r.settings.configuration);
  writer.put_rows(r.inputs);
  writer.put_rows(r.outputs);
  writer.put_rows(r.workspace ? std::vector<Slice>{*r.workspace} : std::vector<Slice>{});
  return writer.take();
}

std::optional<WorkerRequest> decode_worker_request(const Bytes& bytes) {
  WorkerRequest r;
  std::vector<Slice> workspace;
  Reader reader(bytes);
  reader.get(r.token);
  reader.get_below(r.step, kSteps);
  reader.get_below(r.pass, kPasses);
  reader.get(r.subject);
  reader.get(r.problem);
  reader.get_below(r.settings.unit, std::size(kUnits));
  reader.get(r.settings.schedule_seed);
  reader.get_below(r.settings.threads, kMostThreads);
  reader.get(r.settings.watch);
  reader.get(r.settings.configuration);
  reader.get_rows(r.inputs);
  reader.get_rows(r.outputs);
  reader.get_rows(workspace);
  if (!reader.read_everything() || workspace.size() > 1) return std::nullopt;
  if (!workspace.empty()) r.workspace = workspace.front();
  return r;
}

Bytes encode(const WorkerReply& r) {
  Writer writer;
  writer.put(r.token);
  writer.put(static_cast<std::uint64_t>(r.kind));
  writer.put(r.detail);
  writer.put(r.workspace_bytes);
  writer.put_rows(r.subjects);
  return writer.take();
}

std::optional<WorkerReply> decode_worker_reply(const Bytes& bytes) {
  WorkerReply r;
  Reader reader(bytes);
  reader.get(r.token);
  reader.get_below(r.kind, kKinds);
  reader.get(r.detail);
  reader.get(r.workspace_bytes);
  reader.get_rows(r.subjects);
  if (!reader.read_everything()) return std::nullopt;
  return r;
}

}  // namespace attest
