import { describe, expect, it } from "vitest";
import { ok } from "../../../test/fakes/api.ts";
import { runCli } from "../../../test/fakes/cli.ts";

const file = {
  path: "facts/door.md",
  kind: "fact",
  summary: "It sticks.",
  size: 42,
  updatedAt: "2026-03-01T12:00:00.000Z",
};
const text = { ...file, content: "# Door\n", etag: "m1" };

describe("memory", () => {
  it.each([
    [["list", "-p", "shop"], "/api/projects/shop/memory", { files: [file] }],
    [["list"], "/api/memory", { files: [file] }],
    [["show", "facts/door.md", "-p", "shop"], "/api/projects/shop/memory/file", { file: text }],
    [["show", "facts/door.md", "--main"], "/api/memory/file", { file: text }],
  ])("%j asks for the one it means", async (words, path, answer) => {
    const { requests, code, out } = await runCli(["memory", ...words], () => ok(answer));
    expect(requests.map((request) => [request.method, request.path])).toEqual([["GET", path]]);
    expect([code, out]).toEqual([0, expect.stringContaining("facts/door.md")]);
  });

  it("shows what is remembered word for word, however the program is called", async () => {
    const content = "Start it with: guildhall up";
    const words = ["memory", "show", "facts/door.md", "-p", "shop"];
    const { out } = await runCli(words, () => ok({ file: { ...text, content } }), { calledAs: "/opt/guildhall" });
    expect(out).toContain(`\n${content}\n`);
  });

  it("says what to do where nothing is remembered yet, and where something is missing", async () => {
    const none = await runCli(["memory", "list", "-p", "shop"], () => ok({ files: [] }));
    expect(none.out).toBe(
      "Agents of shop have no memory yet. Add a fact with: guildhall memory write facts/NAME.md -p shop --file FILE\n",
    );
    const without = await runCli(["memory", "write", "facts/door.md"], () => ok({}));
    expect([without.code, without.err]).toEqual([2, expect.stringContaining("--file FILE")]);
    const both = await runCli(["memory", "list", "-p", "shop", "--main"], () => ok({}));
    expect([both.code, both.err]).toEqual([2, expect.stringContaining("either -p PROJECT or --main")]);
  });
});
