import { expect, it } from "vitest";
import { commandFolder } from "../harness/command-folder.ts";
import { inEverySandbox } from "../harness/working-sandboxes.ts";

/** Numbers of calls by the processor. No connection is made to anything. */
const CALL = {
  x64: { socket: 41, ptrace: 101, vmWrite: 311, keyctl: 250, fault: 323, bpf: 321, unshare: 272, getpid: 39, wait: 61 },
  arm64: {
    socket: 198,
    ptrace: 117,
    vmWrite: 271,
    keyctl: 219,
    fault: 282,
    bpf: 280,
    unshare: 97,
    getpid: 172,
    wait: 260,
  },
}[process.arch as "x64" | "arm64"];

const FAMILIES = {
  vsock: 40,
  packet: 17,
  alg: 38,
  bluetooth: 31,
  xdp: 44,
  tipc: 30,
  can: 29,
  rds: 21,
  key: 15,
  smc: 43,
};
const perl = (script: string) => `perl -e '${script}'`;
const call = (name: string, ...words: (number | string)[]) =>
  `print "${name} ", syscall(${words.join(", ")}) < 0 ? "refused" : "did", "\\n";`;

const cannotTry = process.platform !== "linux" || CALL === undefined;

await inEverySandbox((sandbox) => {
  it.skipIf(cannotTry)("makes no sockets but those that builds use, with and without the network", async () => {
    for (const network of [false, true]) {
      const { said } = commandFolder(sandbox, {}, { network });
      const tries = Object.entries(FAMILIES).flatMap(([name, family]) =>
        [1, 2, 3, 5].map((type) => call(`${name}-${type}`, CALL.socket, family, type, 0)),
      );
      const told = await said(perl(tries.join(" ")));
      expect(told.split("\n")).toHaveLength(tries.length);
      expect(told).not.toContain("did");
      const usual = [1, 2, 10].map((family) => call(String(family), CALL.socket, family, 1, 0));
      expect(await said(perl(`${usual.join(" ")} ${call("routes", CALL.socket, 16, 3, 0)}`))).toBe(
        "1 did\n2 did\n10 did\nroutes did",
      );
      expect(await said(perl(call("netfilter", CALL.socket, 16, 3, 12)))).toBe("netfilter refused");
    }
  });

  it.skipIf(cannotTry)("reaches none of the kernel's doors that no build needs, by any numbering", async () => {
    const { said } = commandFolder(sandbox);
    const tries = [
      call("io_uring", 425, 1, 0),
      call("userfaultfd", CALL.fault, 1),
      call("keyctl", CALL.keyctl, 0, "-3", 1),
      call("bpf", CALL.bpf, 0, 0, 0),
      call("unshare", CALL.unshare, 0x10000000),
      call("clone3", 435, 0, 0),
      call("x32", 0x40000000 + CALL.getpid),
      call("unknown", 1_000),
    ];
    const told = await said(perl(tries.join(" ")));
    expect(told).not.toContain("did");
    expect(told.split("\n")).toHaveLength(tries.length);
  });

  it.skipIf(cannotTry)("cannot hold, change or look into the sandbox's first process once it is over", async () => {
    const { run, said } = commandFolder(sandbox);
    const attach = [
      call("attach", CALL.ptrace, 16, 1, 0, 0),
      call("seize", CALL.ptrace, 0x4206, 1, 0, 0),
      call("write", CALL.vmWrite, 1, 0, 0, 0, 0, 0),
      // A descriptor of it, and one of its own through that.
      `my $p = syscall(434, 1, 0); ${call("descriptor", 438, "$p", 1, 0)}`,
    ];
    const begun = performance.now();
    const { output } = await run(`${perl(`${attach.join(" ")} exit 0`)}; kill -STOP 1; kill -KILL 1; echo over`);
    expect(performance.now() - begun).toBeLessThan(20_000);
    expect(output).toMatch(/^Exit code 0 .*\nattach refused\nseize refused\nwrite refused\ndescriptor refused\nover$/);
    const places = ["mem", "environ", "cmdline", "maps", "fd/0", "root/etc", "task/1/mem", "cwd/x"];
    const opened = places.map((place) => `(: < /proc/1/${place}) 2>/dev/null && echo ${place}`).join("; ");
    expect(await said(`${opened}; echo x > /proc/1/mem; echo over`)).toMatch(/\nover$|^over$/);
    expect(await said(`${opened}; echo over`)).toBe("over");
  });

  it.skipIf(cannotTry)("ends with its command though something left over holds the output", async () => {
    const { run } = commandFolder(sandbox);
    const { output } = await run("(trap '' TERM HUP INT; setsid sh -c 'exec 9>&1; sleep 1000' &) ; echo over");
    expect(output).toMatch(/^Exit code 0 after [0-9.]+ s\.\nover$/);
  });

  it.skipIf(cannotTry)("still traces, threads and forks in what it started itself", async () => {
    const { said } = commandFolder(sandbox);
    const child = `my $c = fork(); if (!$c) { syscall(${CALL.ptrace}, 0, 0, 0, 0); kill 19, $$; exit 7 } my $s = pack("i", 0); syscall(${CALL.wait}, $c, $s, 2, 0); print "stopped ", (unpack("i", $s) & 255) == 127 ? "yes" : "no", "\\n"; syscall(${CALL.ptrace}, 7, $c, 0, 0); waitpid($c, 0); print $? >> 8, "\\n"`;
    expect(await said(perl(child))).toBe("stopped yes\n7");
    const workers = `new (require("worker_threads").Worker)("console.log(1)", {eval: true})`;
    expect(await said(`node -e '${workers}'`)).toBe("1");
  });
});
