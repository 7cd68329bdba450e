import { CALLS, type FilteredArch } from "./call-numbers.ts";

/**
 * A program of the kernel's classic BPF, run on every system call of a command: it refuses socket families and calls that no
 * build needs, each of which is a way to the kernel that namespaces do not close. What is not refused is allowed.
 */
export function callFilter(arch: FilteredArch): Buffer {
  const calls = CALLS[arch];
  return encoded([
    load(ARCH_AT),
    // Calls by another architecture's numbers, as 32-bit programs make them, could not be told apart below.
    jumpUnless(calls.audit, 1),
    jump(1),
    refuse(ENOSYS),
    load(NUMBER_AT),
    // Newer calls than these are unknown here, as they are to an older kernel. The numbers of x32 are higher still.
    unlessGreater(NEWEST_CALL, 1),
    refuse(ENOSYS),
    ...calls.missing.flatMap((number) => [jumpUnless(number, 1), refuse(ENOSYS)]),
    ...calls.refused.flatMap((number) => [jumpUnless(number, 1), refuse(EPERM)]),
    ...calls.sockets.flatMap((number) => when(number, familyCheck())),
    ...when(calls.clone, refuseFlags(NAMESPACE_FLAGS)),
    ...when(calls.ioctl, refuseValues(1, TERMINAL_INPUT)),
    ...when(calls.ptrace, refuseFirstProcess(1)),
    ...calls.otherMemory.flatMap((number) => when(number, refuseFirstProcess(0))),
    allow(),
  ]);
}

let here: Buffer | undefined;

/** The filter for this machine; undefined where none is known for its processor. */
export function callFilterHere(): Buffer | undefined {
  const { arch } = process;
  here ??= arch === "x64" || arch === "arm64" ? callFilter(arch) : undefined;
  return here;
}

const ENOSYS = 38;
const EPERM = 1;
const EAFNOSUPPORT = 97;
/** file_setattr, of Linux 6.17. */
const NEWEST_CALL = 469;
const [AF_UNIX, AF_INET, AF_INET6, AF_NETLINK] = [1, 2, 10, 16];
/** What programs ask which addresses and routes there are. */
const NETLINK_ROUTE = 0;
/** CLONE_NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID, NEWNET. */
const NAMESPACE_FLAGS = 0x7e020000;
/** TIOCSTI and TIOCLINUX, which type into a terminal. */
const TERMINAL_INPUT = [0x5412, 0x541c];
/** Of the sandbox itself: who could stop or change it would outlive its command. */
const FIRST_PROCESS = 1;

interface Instruction {
  code: number;
  jumpTrue: number;
  jumpFalse: number;
  value: number;
}

/** Places in what the kernel tells of a call (struct seccomp_data); of an argument its lower half, as kernels use it. */
const NUMBER_AT = 0;
const ARCH_AT = 4;
const argumentAt = (index: number) => 16 + 8 * index;

const plain = (code: number, value: number): Instruction => ({ code, jumpTrue: 0, jumpFalse: 0, value });
const load = (at: number) => plain(0x20, at);
const and = (mask: number) => plain(0x54, mask);
const jump = (over: number) => plain(0x05, over);
const refuse = (errno: number) => plain(0x06, 0x00050000 | errno);
const allow = () => plain(0x06, 0x7fff0000);
/** Goes on when the value is loaded; jumps over so many otherwise. */
const jumpUnless = (value: number, over: number): Instruction => ({ ...plain(0x15, value), jumpFalse: over });
const jumpWhen = (value: number, over: number): Instruction => ({ ...plain(0x15, value), jumpTrue: over });
const unlessGreater = (value: number, over: number): Instruction => ({ ...plain(0x25, value), jumpFalse: over });

/** A check for one call, which must end in an answer. */
function when(number: number, check: Instruction[]): Instruction[] {
  return [jumpUnless(number, check.length), ...check];
}

function familyCheck(): Instruction[] {
  return [
    load(argumentAt(0)),
    jumpWhen(AF_UNIX, 5),
    jumpWhen(AF_INET, 4),
    jumpWhen(AF_INET6, 3),
    jumpUnless(AF_NETLINK, 3),
    load(argumentAt(2)),
    jumpUnless(NETLINK_ROUTE, 1),
    allow(),
    refuse(EAFNOSUPPORT),
  ];
}

function refuseFlags(flags: number): Instruction[] {
  return [load(argumentAt(0)), and(flags), jumpUnless(0, 1), allow(), refuse(EPERM)];
}

function refuseValues(argument: number, values: readonly number[]): Instruction[] {
  const tests = values.map((value, at) => jumpWhen(value, values.length - at));
  return [load(argumentAt(argument)), ...tests, allow(), refuse(EPERM)];
}

function refuseFirstProcess(argument: number): Instruction[] {
  return refuseValues(argument, [FIRST_PROCESS]);
}

/** As the kernel takes it: an array of struct sock_filter. Both architectures are little-endian. */
function encoded(program: readonly Instruction[]): Buffer {
  const bytes = Buffer.alloc(program.length * 8);
  program.forEach(({ code, jumpTrue, jumpFalse, value }, index) => {
    const at = index * 8;
    bytes.writeUInt16LE(code, at);
    bytes.writeUInt8(jumpTrue, at + 2);
    bytes.writeUInt8(jumpFalse, at + 3);
    bytes.writeUInt32LE(value >>> 0, at + 4);
  });
  return bytes;
}
