import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { commandFolder } from "../../../test/harness/command-folder.ts";
import type { Sandbox } from "../sandbox/sandbox.ts";
import { seatbelt } from "../sandbox/seatbelt.ts";
import { unsandboxed } from "../sandbox/unsandboxed.ts";

describe("commands without a sandbox, for those who accepted it", () => {
  it("are run, limited in time and given none of the hall's keys", async () => {
    process.env.GUILDHALL_CANARY_KEY = "canary";
    const { run, said, at } = commandFolder(unsandboxed, { "a.txt": "a\n" });
    expect(await said("env")).not.toContain("canary");
    delete process.env.GUILDHALL_CANARY_KEY;
    expect((await run("echo b >> a.txt")).files).toEqual(["a.txt"]);
    expect(readFileSync(at("a.txt"), "utf8")).toBe("a\nb\n");
    expect((await run("sleep 60 & sleep 60", { timeoutSeconds: 1 })).output).toMatch(/^Killed after \d+\.\d s/);
  });
});

it("a sandbox that cannot be set up runs nothing, and says why", async () => {
  const broken: Sandbox = {
    name: "bwrap",
    invoke: () => ({ program: "sh", args: ["-c", "echo no such kernel >&2; exit 1"], env: {}, cwd: "/" }),
  };
  expect(await commandFolder(broken).run("touch x")).toEqual({
    output: "The sandbox (bwrap) could not be set up: no such kernel. The command was not run.",
    failed: true,
  });
});

it("Seatbelt's profile denies all but what the policy names (its effect can only be seen on macOS)", () => {
  const { args } = seatbelt.invoke({
    command: "true",
    workdir: "/shop",
    policy: {
      name: "seatbelt",
      network: false,
      readable: ["/data"],
      writable: [],
      memoryMb: 512,
      processes: 64,
      envFiles: [],
      hidden: ["/hall"],
    },
    masked: [{ path: "/shop/.env", kind: "file" }],
    protectedPaths: ["/shop/.git"],
    lent: [],
  });
  const profile = args[1]?.split("\n") ?? [];
  const place = (rule: string) => profile.findIndex((line) => line.startsWith(rule));
  expect(profile[1]).toBe("(deny default)");
  expect(place('(deny file-read* file-write* (subpath "/hall"))')).toBeGreaterThan(place("(allow file-read* "));
  expect(place('(deny file-write* (subpath "/shop/.git"))')).toBeGreaterThan(
    place('(allow file-read* file-write* (subpath "/shop"))'),
  );
  expect(profile).toContain('(deny file-read* file-write* (subpath "/shop/.env"))');
  expect(profile.at(-1)).toBe("(deny network*)");
});
