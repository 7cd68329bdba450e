import { describe, expect, it } from "vitest";
import { ok } from "../../../test/fakes/api.ts";
import { runCli } from "../../../test/fakes/cli.ts";
import type { SessionEntry } from "../../contract/runs/session.ts";

const at = "2026-03-01T12:00:00.000Z";
const common = { model: "offline/rehearsal", usage: {}, costUsd: 0, at };
const entries = [
  { type: "summary", text: "Much was done.", previous: "2026-02-01.jsonl", ...common },
  { type: "message", id: "1", from: "person", channel: { type: "cli", id: "default" }, text: "How is\nit?", at },
  { type: "answer", text: "I look.", calls: [{ id: "c", name: "list_projects", input: "{}" }], ...common },
  { type: "result", id: "c", name: "list_projects", output: "shop\nweb" },
  { type: "answer", text: "Well\u001b[2J.", ...common },
  { type: "ended", messageId: "1", outcome: "answered", at },
  { type: "message", id: "2", from: "project", channel: { type: "project", id: "shop" }, text: "Done.", at },
  { type: "ended", messageId: "2", outcome: "failed", error: "no provider", at },
  { type: "something new", at },
  { type: "answer", text: "Last words.", ...common },
] as unknown as SessionEntry[];

const archives = [{ file: "2026-02-01.jsonl", size: 2_000, updatedAt: at }];
const page = (more: object = {}) =>
  ok({ file: "current.jsonl", entries: entries.map((entry, offset) => ({ offset, ...entry })), archives: [], ...more });

describe("reading a session", () => {
  it("tells who said what, with calls folded into their results", async () => {
    const { out, requests } = await runCli(["session"], () => page());
    expect(requests[0]?.path).toBe("/api/session");
    expect(out.replaceAll(/\d{4}-\d\d-\d\d \d\d:\d\d/g, "TIME").split("\n")).toEqual([
      "Earlier entries are in 2026-02-01.jsonl. Summary:",
      "│ Much was done.",
      "",
      "person in cli/default TIME",
      "│ How is",
      "│ it?",
      "│ I look.",
      "✓ list_projects · 2 lines",
      "│ Well␛[2J.",
      "",
      "project shop TIME",
      "│ Done.",
      "■ failed: no provider",
      "│ Last words.",
      "",
    ]);
  });

  it("cuts long texts and says by how much, unless all is wanted", async () => {
    const long = "x".repeat(22_000);
    const said = [
      { type: "message", id: "1", from: "person", channel: { type: "cli", id: "default" }, text: long, at },
      { type: "answer", text: "", calls: [{ id: "c", name: "read", input: "{}" }], ...common },
      { type: "result", id: "c", name: "read", output: long },
      { type: "answer", text: long, ...common },
    ] as unknown as SessionEntry[];
    const entries = said.map((entry, offset) => ({ offset, ...entry }));
    const cut = await runCli(["session"], () => page({ entries }));
    expect(cut.out.length).toBeLessThan(5_000);
    expect(cut.out.match(/… 20000 more characters; use --full to show them/g)).toHaveLength(2);
    const { out } = await runCli(["session", "--full"], () => page({ entries }));
    expect(out.length).toBeGreaterThan(66_000);
  });

  it("lists the archives, and how to read them and what was earlier", async () => {
    const words = ["session", "-p", "shop", "--limit", "5", "--before", "900"];
    const { out, requests } = await runCli(words, () => page({ archives, nextBefore: 400 }));
    expect(requests[0]).toMatchObject({ path: "/api/projects/shop/session", query: { limit: "5", before: "900" } });
    expect(out).toMatch(/^Earlier: guildhall session -p shop --before 400\n/);
    expect(out).toMatch(
      /\nArchives\nNAME .*\n2026-02-01\.jsonl +2 KB .*\nRead one: guildhall session -p shop --file NAME/,
    );
  });

  it("says how to begin where nothing was said, and what a number must be", async () => {
    const empty = await runCli(["session", "-p", "shop"], () => page({ entries: [] }));
    expect(empty.out).toBe('No messages yet. Send one: guildhall project talk shop "Hello"\n');
    expect(await runCli(["session", "--limit", "0"])).toMatchObject({ code: 2 });
  });

  it("prints the page as it is with --json", async () => {
    const { out } = await runCli(["session", "--json"], () => page());
    expect(JSON.parse(out)).toMatchObject({ file: "current.jsonl", archives: [] });
  });
});
