import { describe, expect, it } from "vitest";
import { hostileOutside } from "../../../test/suites/sandbox-hostile.ts";
import { sandboxSuite } from "../../../test/suites/sandbox-suite.ts";
import { sandboxesHere, sandboxProbe, whyNot } from "./probe.ts";
import type { Sandbox } from "./sandbox.ts";

for (const sandbox of sandboxesHere()) {
  const refusal = await whyNot(sandbox);
  if (refusal === undefined) sandboxSuite(sandbox);
  else describe.skip(`${sandbox.name} does not work on this machine: ${refusal}`, () => it.todo("is contained"));
}

const noAbstractSockets = process.platform === "linux" ? "" : " (skipped: they are for Linux)";
describe.skipIf(noAbstractSockets !== "")(`hostile commands${noAbstractSockets}`, hostileOutside);

const broken: Sandbox = {
  name: "bwrap",
  invoke: () => ({
    program: "sh",
    args: ["-c", "echo not today >&2; exit 1"],
    env: { PATH: "/usr/bin:/bin" },
    cwd: "/",
  }),
};
const leaking: Sandbox = {
  name: "unshare",
  invoke: ({ command }) => ({
    program: "sh",
    args: ["-c", `printf r >&3; test -e /etc/shadow || exec sleep 0; ${command}`],
    env: { PATH: "/usr/bin:/bin" },
    cwd: "/",
  }),
};
const missing: Sandbox = {
  name: "seatbelt",
  invoke: () => ({ program: "/dev/null/sandbox", args: [], env: {}, cwd: "/" }),
};

describe("the probe", () => {
  it("takes none that fails, leaks or is missing, and says why of each", async () => {
    const probe = sandboxProbe([broken, leaking, missing]);
    expect(probe.state().name).toBe("probing");
    const state = await probe.settle();
    expect(state).toEqual({
      name: "none",
      detail: "no sandbox works here: bwrap: not today; unshare: it does not isolate commands; seatbelt: spawn ENOTDIR",
    });
    expect(probe.state()).toEqual(state);
  });

  it.skipIf(process.platform !== "linux")("takes none whose filter of system calls is not in force", async () => {
    const script = "printf r >&3; echo contained; cat /proc/self/status";
    const open: Sandbox = {
      name: "unshare",
      invoke: () => ({ program: "sh", args: ["-c", script], env: { PATH: "/usr/bin:/bin" }, cwd: "/" }),
    };
    expect(await whyNot({ ...open, whyUnfiltered: () => undefined })).toBe("its system call filter is not active");
    const honest = sandboxProbe([{ ...open, whyUnfiltered: () => "there is no perl" }]);
    expect(await honest.settle()).toEqual({
      name: "unshare",
      detail: "commands run in unshare, without a system call filter: there is no perl",
    });
  });

  it("knows which can be tried on a system", () => {
    expect(sandboxesHere("linux").map(({ name }) => name)).toEqual(["bwrap", "unshare"]);
    expect(sandboxesHere("darwin").map(({ name }) => name)).toEqual(["seatbelt"]);
    expect(sandboxesHere("win32")).toEqual([]);
  });
});
