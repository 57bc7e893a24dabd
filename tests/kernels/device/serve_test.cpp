// Goal: the loop answers each request in order, refuses what makes no sense in a reply and not by
// dying, and ends as its status says.
#include "kernels/device/serve.hpp"

#include <gtest/gtest.h>

#include <thread>

#include "kernels/device/frames.hpp"
#include "kernels/machine/emulator.hpp"
#include "tests/kernels/device/socket_pair.hpp"

namespace attest::serve_test {
namespace {

constexpr std::uint64_t kMost = 1 << 20;

Problem small_problem() {
  Problem problem;
  problem.n_q = problem.n_k = 2;
  problem.d_qk = problem.d_v = 4;
  return problem;
}

DeviceRequest request_for(const Problem& p) {
  const auto bytes = [](const Extents& extents, Format format) {
    return Tensor(format, extents).bytes();
  };
  DeviceRequest request{
      "tiled",
      to_string(p),
      DeviceStep::forward,
      {bytes(p.q_extents(), p.in), bytes(p.k_extents(), p.in), bytes(p.v_extents(), p.in)},
      {bytes(p.o_extents(), p.out), bytes(p.lse_extents(), Format::f32)}};
  if (p.pass == Pass::fwd) return request;
  request.step = DeviceStep::backward;
  for (const Bytes& left : request.outputs) request.inputs.push_back(left);
  request.inputs.push_back(bytes(p.o_extents(), p.in));
  if (p.lse_gradient) request.inputs.push_back(bytes(p.lse_extents(), Format::f32));
  request.outputs = {bytes(p.q_extents(), p.out), bytes(p.k_extents(), p.out),
                     bytes(p.v_extents(), p.out)};
  return request;
}

// Every form writes one element and leaves the others.
void write_one(Emulator&, const Problem&, const ForwardInputs&, const ForwardOutputs& outputs) {
  outputs.o.set_bits(0, 0, 1, 3, 0xabcd);
}
// Hands on what only a backward has.
void write_two(Emulator&, const Problem&, const BackwardInputs& inputs,
               const BackwardOutputs& outputs, const WeightRule& weights) {
  if (weights != WeightRule{}) return;
  outputs.dq.set_bits(0, 0, 0, 0, inputs.dout.bits(0, 0, 0, 0));
  outputs.dv.set_bits(0, 0, 1, 3, inputs.glse ? inputs.glse->bits(0, 0, 1, 0) : 0);
}

const FormTables<Emulator> kForms = [] {
  FormTables<Emulator> forms;
  forms.forward.fill(write_one);
  forms.backward.fill(write_two);
  return forms;
}();

DeviceReply answer(const DeviceRequest& request) {
  Emulator emulator(Emulation{});
  return answer_with<Emulator>(emulator, kForms, request);
}

// A server in a thread, and the client's end of it.
class Served {
 public:
  explicit Served(const AnswerRequest& answer_request)
      : server_([this, answer_request] {
          status_ = serve(pair_.there(), pair_.there(), answer_request);
          pair_.hang_up_there();
        }) {
    EXPECT_EQ(stream_.receive_greeting(), StreamEnd::ok);
  }

  DeviceReply ask(const DeviceRequest& request) { return ask_bytes(encode(request)); }
  DeviceReply ask_bytes(const Bytes& message) {
    EXPECT_EQ(stream_.send(message), StreamEnd::ok);
    Bytes reply;
    if (stream_.receive(reply, kMost) != StreamEnd::ok) return {};
    return decode_reply(reply).value_or(DeviceReply{});
  }
  int status_after_hanging_up() {
    shutdown(pair_.here(), SHUT_RDWR);
    return status();
  }
  int status() {
    if (server_.joinable()) server_.join();
    return status_;
  }

 private:
  SocketPair pair_;
  FrameStream stream_{pair_.here(), pair_.here()};
  int status_ = -1;
  std::jthread server_;
};

TEST(Serve, AnswersOneRequestAfterTheOther) {
  Served served(answer);
  for (int turn = 0; turn < 3; ++turn) {
    const DeviceReply reply = served.ask(request_for(small_problem()));
    ASSERT_EQ(reply.kind, DeviceReply::Kind::ran) << reply.detail;
    ASSERT_EQ(reply.outputs.size(), 2u);
    EXPECT_EQ(reply.outputs[0].size(), 2u * 4 * 2);
    EXPECT_EQ(reply.outputs[0][14], std::byte{0xcd});
  }
  EXPECT_EQ(served.status_after_hanging_up(), 0);
}

TEST(Serve, ReturnsWhatNoKernelWroteAsItWas) {
  DeviceRequest request = request_for(small_problem());
  std::fill(request.outputs[1].begin(), request.outputs[1].end(), std::byte{0x5a});
  EXPECT_EQ(answer(request).outputs[1], request.outputs[1]);
}

TEST(Serve, AnswersABackwardFromWhatTheForwardLeft) {
  Problem p = small_problem();
  p.pass = Pass::bwd;
  p.lse_gradient = true;
  DeviceRequest request = request_for(p);
  request.inputs[5][0] = std::byte{0x12};  // dout
  request.inputs[6][4] = std::byte{0x34};  // glse
  const DeviceReply reply = answer(request);
  ASSERT_EQ(reply.kind, DeviceReply::Kind::ran) << reply.detail;
  ASSERT_EQ(reply.outputs.size(), 3u);
  EXPECT_EQ(reply.outputs[0][0], std::byte{0x12});
  EXPECT_EQ(reply.outputs[2][14], std::byte{0x34});
  request.inputs.pop_back();
  EXPECT_EQ(answer(request).kind, DeviceReply::Kind::failed);
}

TEST(Serve, DeclinesWhatItDoesNotHold) {
  DeviceRequest request = request_for(small_problem());
  request.subject = "plain";
  EXPECT_EQ(answer(request).kind, DeviceReply::Kind::unsupported);
  EXPECT_EQ(answer(request).detail, "the device program has no plain");
  request.subject = "materialising";
  EXPECT_EQ(answer(request).kind, DeviceReply::Kind::ran);
  Problem backward = small_problem();
  backward.pass = Pass::bwd;
  request = request_for(backward);
  request.subject = "materialising";
  EXPECT_EQ(answer(request).detail, "the device program has no backward of materialising");
  request.subject = "variant/tiled-atomic-dq";  // whose forward is another's
  EXPECT_EQ(answer(request).kind, DeviceReply::Kind::ran);
  Problem large = small_problem();
  large.d_v = 257;
  EXPECT_EQ(answer(request_for(large)).kind, DeviceReply::Kind::unsupported);
}

TEST(Serve, ReportsARequestThatMakesNoSense) {
  DeviceRequest request = request_for(small_problem());
  request.inputs[1].pop_back();
  EXPECT_EQ(answer(request).kind, DeviceReply::Kind::failed);
  EXPECT_NE(answer(request).detail.find("have not the sizes"), std::string::npos);
  request.problem = "attest1:b=none";
  EXPECT_EQ(answer(request).kind, DeviceReply::Kind::failed);
}

TEST(Serve, EndsAfterALastReply) {
  Served served([](const DeviceRequest&) {
    return DeviceReply{DeviceReply::Kind::failed, "cudaMemcpy: gone", true, {}};
  });
  const DeviceReply reply = served.ask(request_for(small_problem()));
  EXPECT_EQ(reply.detail, "cudaMemcpy: gone");
  EXPECT_TRUE(reply.last);
  EXPECT_EQ(served.status(), 1);
}

TEST(Serve, EndsWhenTheOtherSideBreaksTheProtocol) {
  Served served(answer);
  EXPECT_EQ(served.ask_bytes(Bytes(12)).detail, "");
  EXPECT_EQ(served.status(), 2);
}

}  // namespace
}  // namespace attest::serve_test
