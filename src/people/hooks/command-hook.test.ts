import { afterAll, describe, expect, it } from "vitest";
import { temporaryFolder } from "../../../test/harness/temporary-folder.ts";
import { plainOrder, sandboxNamed, sandboxProbe } from "../../agent/sandbox/probe.ts";
import { runCommand } from "./command-hook.ts";
import { HookSandboxes } from "./hook-sandboxes.ts";

const { name } = await sandboxProbe().settle();
const sandboxes = new HookSandboxes();
afterAll(() => sandboxes.close());

describe.skipIf(name === "none" || name === "probing")("a hook's program", () => {
  const run = (words: string[], input = "{}", workdir = temporaryFolder()) => {
    const { command: _, ...order } = plainOrder(sandboxNamed(name === "probing" ? "none" : name), {
      command: "",
      workdir,
    });
    const hook = { order, sandboxes, words, input, env: { SOME: "a\nb' c" } };
    return runCommand({ ...hook, timeoutMs: 10_000, closing: new AbortController().signal });
  };

  it("gets its words, environment and input byte for byte, and both outputs are kept apart", async () => {
    const script = 'printf "%s|" "$@" "$SOME"; cat; echo to stderr >&2; exit 2\n# end';
    const words = ["sh", "-c", script, "x", "a\n\nb", "'", "$(id)", "", "\\n", "é 🎉"];
    const input = `{"text":"${"x".repeat(100_000)}"}`;
    const end = await run(words, input);
    expect(end).toMatchObject({ kind: "exit", code: 2, err: "to stderr" });
    const start = "a\n\nb|'|$(id)||\\n|é 🎉|a\nb' c|";
    expect("out" in end && end.out.startsWith(`${start}{"text":"xxx`)).toBe(true);
  });

  it("finds nothing of the one before it in a sandbox that was prepared", async () => {
    const workdir = temporaryFolder();
    const leave = () =>
      run(
        ["sh", "-c", "cat /tmp/left 2>/dev/null; echo left > /tmp/left; sleep 100 >/dev/null 2>&1 & exit 0"],
        "",
        workdir,
      );
    expect([await leave(), await leave(), await leave()]).toEqual(
      Array(3).fill({ kind: "exit", code: 0, out: "", err: "" }),
    );
  });
});
