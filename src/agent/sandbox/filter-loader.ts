import { findProgram } from "../../store/host/programs.ts";
import { callFilterHere } from "./call-filter.ts";

/** Of the system, which commands cannot change. */
const SYSTEM_PATH = "/usr/bin:/bin";
const PRCTL: Record<string, number> = { x64: 157, arm64: 167 };

/** Sets the filter given as hex in its first argument (PR_SET_SECCOMP, SECCOMP_MODE_FILTER), then becomes the rest. */
const PERL = (prctl: number) =>
  `my $f = pack("H*", shift); my $p = pack("Sx6P", length($f) / 8, $f); syscall(${prctl}, 22, 2, $p, 0, 0) == 0 or die "no filter of system calls: $!\\n"; exec {$ARGV[0]} @ARGV; die "$!\\n"`;

/** Python does not die of a closed pipe and hands that on, unless told. */
const PYTHON = `import ctypes, os, signal, sys
f = bytes.fromhex(sys.argv[1])
b = ctypes.create_string_buffer(f, len(f))
class P(ctypes.Structure):
    _fields_ = [("n", ctypes.c_ushort), ("f", ctypes.c_void_p)]
p = P(len(f) // 8, ctypes.cast(b, ctypes.c_void_p))
c = ctypes.CDLL(None, use_errno=True)
for s in (signal.SIGPIPE, signal.SIGXFSZ):
    signal.signal(s, signal.SIG_DFL)
if c.prctl(22, 2, ctypes.byref(p), 0, 0) != 0:
    sys.exit("no filter of system calls: " + os.strerror(ctypes.get_errno()))
os.execvp(sys.argv[2], sys.argv[2:])`;

interface Loader {
  program: string;
  args: (prctl: number) => string[];
}

const LOADERS: readonly Loader[] = [
  { program: "perl", args: (prctl) => ["-e", PERL(prctl)] },
  { program: "python3", args: () => ["-I", "-S", "-c", PYTHON] },
];

/**
 * The words to put before a command so that it runs with the filter of system calls, or why there are none. No tool that is
 * on every machine loads a filter, but interpreters that nearly every Linux has can make the call.
 */
export function filterLoader(path = SYSTEM_PATH): { words: string[] } | { missing: string } {
  const filter = callFilterHere();
  const prctl = PRCTL[process.arch];
  if (filter === undefined || prctl === undefined) return { missing: `not available for ${process.arch}` };
  for (const { program, args } of LOADERS) {
    const found = findProgram(program, path);
    if (found !== undefined) return { words: [found, ...args(prctl), filter.toString("hex")] };
  }
  return { missing: "it needs perl or python3 in /usr/bin" };
}
