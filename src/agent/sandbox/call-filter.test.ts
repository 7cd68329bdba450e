import { describe, expect, it } from "vitest";
import { callFilter } from "./call-filter.ts";
import type { FilteredArch } from "./call-numbers.ts";

const AUDIT = { x64: 0xc000003e, arm64: 0xc00000b7, i386: 0x40000003, arm: 0x40000028 };

/** What the kernel would do: the same machine, for the few instructions that filters here have. */
function answer(filter: Buffer, call: { audit: number; number: number; args?: number[] }): "allowed" | number {
  const data = Buffer.alloc(64);
  data.writeUInt32LE(call.number, 0);
  data.writeUInt32LE(call.audit, 4);
  for (const [index, value] of (call.args ?? []).entries()) data.writeBigUInt64LE(BigInt(value), 16 + 8 * index);
  let loaded = 0;
  for (let at = 0; at < filter.length; at += 8) {
    const value = filter.readUInt32LE(at + 4);
    const jumpIf = (holds: boolean) => {
      at += 8 * filter.readUInt8(at + (holds ? 2 : 3));
    };
    const code = filter.readUInt16LE(at);
    if (code === 0x20) loaded = data.readUInt32LE(value);
    else if (code === 0x54) loaded = (loaded & value) >>> 0;
    else if (code === 0x05) at += 8 * value;
    else if (code === 0x15) jumpIf(loaded === value);
    else if (code === 0x25) jumpIf(loaded > value);
    else if (code === 0x06) return value === 0x7fff0000 ? "allowed" : value - 0x00050000;
    else throw new Error(`unknown instruction ${code}`);
  }
  throw new Error("the filter ended without an answer");
}

const [EPERM, ENOSYS, EAFNOSUPPORT] = [1, 38, 97];
const NUMBERS = {
  x64: { read: 0, socket: 41, socketpair: 53, clone: 56, ioctl: 16, ptrace: 101, writev: 311, mount: 165, fault: 323 },
  arm64: {
    read: 63,
    socket: 198,
    socketpair: 199,
    clone: 220,
    ioctl: 29,
    ptrace: 117,
    writev: 271,
    mount: 40,
    fault: 282,
  },
};

describe.each(["x64", "arm64"] as const)("the filter of system calls on %s", (arch: FilteredArch) => {
  const filter = callFilter(arch);
  const calls = NUMBERS[arch];
  const asked = (number: number, ...args: number[]) => answer(filter, { audit: AUDIT[arch], number, args });

  it("allows the families that builds use, and of the kernel's own only routes", () => {
    for (const family of [1, 2, 10]) expect(asked(calls.socket, family, 1, 0)).toBe("allowed");
    expect(asked(calls.socketpair, 1, 1, 0)).toBe("allowed");
    expect(asked(calls.socket, 16, 3, 0)).toBe("allowed");
    for (const protocol of [9, 12, 15]) expect(asked(calls.socket, 16, 3, protocol)).toBe(EAFNOSUPPORT);
    const others = Array.from({ length: 64 }, (_, family) => family).filter((one) => ![1, 2, 10, 16].includes(one));
    for (const family of others) expect(asked(calls.socket, family, 1, 0), String(family)).toBe(EAFNOSUPPORT);
    expect(asked(calls.socketpair, 40, 1, 0)).toBe(EAFNOSUPPORT);
  });

  it("allows threads and processes, and no new namespaces", () => {
    expect(asked(calls.clone, 0x003d0f00)).toBe("allowed");
    expect(asked(calls.clone, 17)).toBe("allowed");
    for (const flag of [0x20000, 0x2000000, 0x4000000, 0x8000000, 0x10000000, 0x20000000, 0x40000000])
      expect(asked(calls.clone, flag + 17)).toBe(EPERM);
    expect(asked(435)).toBe(ENOSYS);
  });

  it("refuses what no build needs, and hides what programs do without", () => {
    expect(asked(calls.mount)).toBe(EPERM);
    for (const number of [425, 426, 427, calls.fault]) expect(asked(number)).toBe(ENOSYS);
    for (const command of [0x5412, 0x541c]) expect(asked(calls.ioctl, 0, command)).toBe(EPERM);
    expect(asked(calls.ioctl, 0, 0x5401)).toBe("allowed");
    // The kernel looks at the lower half alone.
    expect(asked(calls.ioctl, 0, 0x1_0000_5412)).toBe(EPERM);
  });

  it("lets debuggers at everything but the first process", () => {
    for (const request of [16, 0x4206]) {
      expect(asked(calls.ptrace, request, 1)).toBe(EPERM);
      expect(asked(calls.ptrace, request, 7)).toBe("allowed");
    }
    expect(asked(calls.writev, 1)).toBe(EPERM);
    expect(asked(calls.writev, 7)).toBe("allowed");
    expect(asked(438, 3, 1)).toBe(EPERM);
  });

  it("knows no calls of other architectures, of x32 and of newer kernels", () => {
    expect(asked(calls.read)).toBe("allowed");
    for (const audit of [AUDIT.i386, AUDIT.arm, arch === "x64" ? AUDIT.arm64 : AUDIT.x64])
      expect(answer(filter, { audit, number: calls.read })).toBe(ENOSYS);
    expect(asked(0x40000000 + calls.socket, 40)).toBe(ENOSYS);
    expect(asked(469)).toBe("allowed");
    expect(asked(470)).toBe(ENOSYS);
  });

  it("has one answer for every call", () => {
    for (let number = 0; number < 600; number++) expect(() => asked(number, 0, 0, 0)).not.toThrow();
  });
});
