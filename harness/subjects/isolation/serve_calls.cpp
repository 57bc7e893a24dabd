#include "harness/subjects/isolation/serve_calls.hpp"

#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <thread>

#include "core/error.hpp"
#include "harness/subjects/isolation/arena.hpp"
#include "harness/subjects/isolation/fault_note.hpp"
#include "kernels/device/frames.hpp"

namespace attest {
namespace {

constexpr int kStreamEnded = 0, kProtocolBroken = 2;
constexpr std::uint64_t kLargestRequest = std::uint64_t{1} << 20;

// What the handler of a signal can reach: set once.
struct {
  std::byte* region = nullptr;
  FaultNote* note = nullptr;
} watched;

std::uint64_t is_write(const void* context) {
#if defined(__x86_64__)
  constexpr greg_t kWriteBit = 2;
  const auto* const user = static_cast<const ucontext_t*>(context);
  return (user->uc_mcontext.gregs[REG_ERR] & kWriteBit) != 0 ? 1 : 0;
#else
  (void)context;
  return 0;
#endif
}

void note_fault(int signal, siginfo_t* info, void* context) {
  const auto address = reinterpret_cast<std::uintptr_t>(info->si_addr);
  *watched.note = {static_cast<std::uint64_t>(signal),
                   address - reinterpret_cast<std::uintptr_t>(watched.region), is_write(context)};
  ::signal(signal, SIG_DFL);
  raise(signal);  // once this handler has returned
}

// A page of notes, and address space for slices, at the same place for as long as the worker lives.
void reserve(const WorkerSurroundings& around) {
  void* const region = mmap(nullptr, region_bytes(around.arena_bytes), PROT_NONE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  void* const note = mmap(nullptr, kPageBytes, PROT_READ | PROT_WRITE, MAP_SHARED, around.arena, 0);
  if (region == MAP_FAILED || note == MAP_FAILED) _exit(kProtocolBroken);
  watched.region = static_cast<std::byte*>(region);
  watched.note = static_cast<FaultNote*>(note);
}

void catch_faults() {
  static std::array<std::byte, 64 * 1024> stack;  // an overflowing one has no room for a handler
  stack_t alternative{};
  alternative.ss_sp = stack.data();
  alternative.ss_size = stack.size();
  sigaltstack(&alternative, nullptr);
  struct sigaction action {};
  action.sa_sigaction = note_fault;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  for (const int signal : {SIGSEGV, SIGBUS}) sigaction(signal, &action, nullptr);
}

// What is ready once nobody is at the socket's other end, or whoever started this process has
// ended. A descriptor that a poll waits for stays open while it does: who closed the socket from
// within would keep attest waiting. One of epoll's does not.
int end_of_attest(int socket) {
  const int ends = epoll_create1(EPOLL_CLOEXEC);
  epoll_event hang_up{};  // always reported
  epoll_ctl(ends, EPOLL_CTL_ADD, socket, &hang_up);
  const auto attest = static_cast<int>(syscall(SYS_pidfd_open, getppid(), 0));
  epoll_event has_ended{};
  has_ended.events = EPOLLIN;
  if (attest >= 0) epoll_ctl(ends, EPOLL_CTL_ADD, attest, &has_ended);
  return ends;
}

// Maps what a request names and nothing else.
class Region {
 public:
  explicit Region(int arena) : arena_(arena) {}

  bool map(const std::vector<Slice>& slices) {
    if (slices == mapped_) return true;
    for (const Slice& slice : mapped_) {
      mmap(watched.region + slice.address, slice.pages * kPageBytes, PROT_NONE,
           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
    }
    mapped_.clear();
    for (const Slice& slice : slices) {
      const int protection = slice.writable ? PROT_READ | PROT_WRITE : PROT_READ;
      const void* const at =
          mmap(watched.region + slice.address, slice.pages * kPageBytes, protection,
               MAP_SHARED | MAP_FIXED | MAP_POPULATE, arena_, static_cast<off_t>(slice.file));
      if (at == MAP_FAILED) return false;
      mapped_.push_back(slice);
    }
    return true;
  }

  static std::byte* data(const Slice& slice) {
    return watched.region + slice.address + slice.begin;
  }

 private:
  int arena_;
  std::vector<Slice> mapped_;
};

std::vector<Slice> slices_of(const WorkerRequest& request) {
  std::vector<Slice> all = request.inputs;
  all.insert(all.end(), request.outputs.begin(), request.outputs.end());
  if (request.workspace) all.push_back(*request.workspace);
  return all;
}

CallMemory memory_of(const WorkerRequest& request) {
  CallMemory memory;
  for (const Slice& slice : request.inputs) memory.inputs.push_back(Region::data(slice));
  for (const Slice& slice : request.outputs) memory.outputs.push_back(Region::data(slice));
  if (request.workspace) {
    memory.workspace = Region::data(*request.workspace);
    memory.workspace_bytes = request.workspace->size;
  }
  return memory;
}

// The clock of the process's own work is set back for each request.
void allow_cpu_time(std::uint64_t seconds) {
  rusage used{};
  getrusage(RUSAGE_SELF, &used);
  rlimit limit{};
  getrlimit(RLIMIT_CPU, &limit);
  limit.rlim_cur = static_cast<rlim_t>(used.ru_utime.tv_sec + used.ru_stime.tv_sec) + seconds + 2;
  setrlimit(RLIMIT_CPU, &limit);
}

WorkerReply answer(const WorkerRequest& request, Region& region, Callee& callee) {
  constexpr auto kFailed = WorkerReply::Kind::failed;
  if (request.step == WorkerStep::describe) return callee.describe();
  try {
    const Problem problem = parse_problem(request.problem);
    if (request.step == WorkerStep::workspace) return callee.workspace(request, problem);
    if (!region.map(slices_of(request))) return {0, kFailed, "cannot map its tensors", 0, {}};
    return callee.call(request, problem, memory_of(request));
  } catch (const Error& error) {
    return {0, kFailed, error.what(), 0, {}};
  }
}

}  // namespace

void watch_over_worker(const WorkerSurroundings& around) {
  reserve(around);
  catch_faults();
  std::thread([ends = end_of_attest(around.socket)] {
    epoll_event end{};
    while (epoll_wait(ends, &end, 1, -1) < 0 && errno == EINTR) {
    }
    kill(0, SIGKILL);
  }).detach();
}

int serve_calls(const WorkerSurroundings& around, Callee& callee) {
  const FrameStream stream(around.socket, around.socket);
  Region region(around.arena);
  while (true) {
    Bytes message;
    const StreamEnd end = stream.receive(message, kLargestRequest);
    if (end == StreamEnd::closed) return kStreamEnded;
    const auto request = end == StreamEnd::ok ? decode_worker_request(message) : std::nullopt;
    if (!request) return kProtocolBroken;
    allow_cpu_time(around.cpu_seconds);
    WorkerReply reply = answer(*request, region, callee);
    const bool described = request->step == WorkerStep::describe;
    if (described && reply.kind == WorkerReply::Kind::done) reply.detail = around.lacking;
    reply.token = request->token;
    if (stream.send(encode(reply)) != StreamEnd::ok) return kProtocolBroken;
  }
}

}  // namespace attest
