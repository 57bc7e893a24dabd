#include "harness/subjects/device_program.hpp"

#include <unistd.h>

#include <cstdlib>

#include "core/error.hpp"
#include "harness/subjects/program_files.hpp"

namespace attest {
namespace {

using std::chrono::steady_clock;

constexpr std::uint64_t kRoomForDetail = 64 * 1024;
constexpr std::chrono::milliseconds kMomentToEnd{2000};

DeviceReply failed(std::string detail) {
  return {DeviceReply::Kind::failed, std::move(detail), false, {}};
}

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

}  // namespace

std::optional<std::string> DeviceProgram::unavailable() {
  std::call_once(probed_, [&] { unavailable_ = probe(); });
  return unavailable_;
}

std::optional<std::string> DeviceProgram::probe() const {
  if (access(program_.c_str(), X_OK) != 0) {
    return "no program " + program_.string() + "; attest-device is built where nvcc is found";
  }
  try {
    ChildProcess probe(program_, {"probe"});
    const Deadline deadline = steady_clock::now() + patience_;
    const std::string said = probe.read_all(deadline);
    const std::string ending = probe.end_by(deadline);
    if (probe.exit_status() == 0) return std::nullopt;
    return "no device: " + (said.empty() ? program_.string() + " " + ending : first_line(said));
  } catch (const Error& error) {
    return error.what();
  }
}

std::string DeviceProgram::start(Deadline deadline) {
  if (child_ && child_->has_ended()) child_.reset();  // while nobody asked: nobody's fault
  if (child_) return {};
  try {
    child_ = std::make_unique<ChildProcess>(program_, std::vector<std::string>{"serve"});
  } catch (const Error& error) {
    return error.what();
  }
  const StreamEnd end = child_->stream(deadline).receive_greeting();
  return end == StreamEnd::ok ? std::string() : lose(end, "before its greeting", deadline).detail;
}

DeviceReply DeviceProgram::ask(const DeviceRequest& request) {
  const std::scoped_lock my_turn(turn_);
  const Deadline deadline = steady_clock::now() + patience_;
  if (std::string trouble = start(deadline); !trouble.empty()) return failed(std::move(trouble));
  const FrameStream stream = child_->stream(deadline);
  if (const StreamEnd end = stream.send(encode(request)); end != StreamEnd::ok) {
    return lose(end, "before it took the request", deadline);
  }
  Bytes message;
  std::uint64_t most = kRoomForDetail;
  for (const Bytes& output : request.outputs) most += output.size();
  if (const StreamEnd end = stream.receive(message, most); end != StreamEnd::ok) {
    return lose(end, "before it replied", deadline);
  }
  std::optional<DeviceReply> reply = decode_reply(message);
  if (!reply) return lose(StreamEnd::nonsense, "in its reply", deadline);
  if (reply->last) child_.reset();
  return std::move(*reply);
}

// The program is of no use any more. What happened is told in one sentence.
DeviceReply DeviceProgram::lose(StreamEnd end, const char* when, Deadline deadline) {
  std::string detail = "the device program ";
  switch (end) {
    case StreamEnd::late:
      child_->end_by(steady_clock::now());
      detail += "gave no answer within " + std::to_string(patience_.count()) +
                " ms and was killed, " + when;
      break;
    case StreamEnd::nonsense:
      child_->end_by(steady_clock::now());
      detail += std::string("does not speak this protocol, ") + when;
      break;
    default:
      detail +=
          child_->end_by(std::min(deadline, steady_clock::now() + kMomentToEnd)) + ", " + when;
  }
  child_.reset();
  return failed(std::move(detail));
}

std::filesystem::path device_program_path() {
  if (const char* chosen = std::getenv("ATTEST_DEVICE_PROGRAM")) return chosen;
  return companion_program("attest-device");
}

DeviceProgram& device_program() {
  static DeviceProgram program(device_program_path());
  return program;
}

}  // namespace attest
