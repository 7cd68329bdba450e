import { describe, expect, it } from "vitest";
import { type ApiAnswer, type ApiRequest, fakeApi, ok, refused } from "../../../test/fakes/api.ts";
import { runCli } from "../../../test/fakes/cli.ts";
import { fakeHost } from "../../../test/fakes/cli-host.ts";
import { runCommandLine } from "../run.ts";
import { shortIds } from "../text/escalation-text.ts";

const AT = "2026-11-16T12:00:00.000Z";
const entry = (id: string, more: object = {}) => ({
  ...{
    id,
    type: "decision",
    origin: "agent",
    projectId: "shop",
    question: `Which color, \u001b[31m${id}?`,
    context: "",
  },
  suggestedAnswers: [
    { label: "Red", description: "Warm" },
    { label: "Dark blue", description: "" },
  ],
  ...{ escalatedBy: "run:one", escalationPath: [], history: [], askers: [], priority: "high", blocksTask: null },
  ...{ blocksInitiative: false, createdAt: AT, updatedAt: AT, status: "pending", resolution: null, answer: null },
  ...{ resolvedBy: null, resolvedAt: null, sources: [], replaces: [], reminders: 0, urgency: 3 },
  ...more,
});
const review = entry("review-run-0abc", {
  subject: { kind: "review", id: "run-0abc" },
  etag: "e1",
  suggestedAnswers: [
    { label: "Approve", description: "", action: "approve" },
    { label: "Request changes", description: "", action: "request-changes", needs: "feedback" },
  ],
});
const all = [entry("esc-001"), review];
const diff = {
  runId: "run-0abc",
  delivery: { kind: "branch", name: "guildhall/TASK-001-x", target: "main", state: "review" },
  ...{ base: "b", head: "h", hash: "e2", files: [], diff: "+Dear customer\n", truncated: false, controlFiles: [] },
};

function answering({ method, path, body }: ApiRequest): ApiAnswer | undefined {
  if (path === "/api/escalations") return ok({ escalations: all, invalid: [], total: 2 });
  if (path === "/api/runs/run-0abc/diff") return ok(diff);
  const id = path.split("/")[3];
  const found = all.find((each) => each.id === id);
  if (found === undefined) return refused("escalation_not_found", 404);
  const said = body as { answer?: string; resolution?: string };
  const resolved = { ...found, status: "resolved", outcome: "answered", answer: said?.answer ?? null };
  return method === "GET"
    ? ok({ escalation: found })
    : ok({ success: true, escalation: { ...resolved, resolution: said?.resolution ?? "" } });
}

const bodies = (requests: ApiRequest[]) => requests.filter(({ method }) => method === "POST").map(({ body }) => body);

describe("guildhall escalation", () => {
  it("lists as much of the end of a long id as names it alone", () => {
    const ids = ["esc-001", "review-run-01m7k09qtw0000m29fqw49", "problem-a~2fTASK-001.md", "problem-b~2fTASK-001.md"];
    expect([...shortIds(ids).values()]).toEqual(["esc-001", "m29fqw49", "a~2fTASK-001.md", "b~2fTASK-001.md"]);
    for (const [id, short] of shortIds(ids)) expect(ids.filter((each) => each.endsWith(short))).toEqual([id]);
  });

  it("takes an answer by number, by label in any case, or in one's own words", async () => {
    const sent = async (...words: string[]) =>
      bodies((await runCli(["escalation", "answer", ...words], answering)).requests);
    expect(await sent("esc-001", "2")).toEqual([{ answer: "Dark blue" }]);
    expect(await sent("esc-001", "dark", "BLUE", "--scope", "hall")).toEqual([{ answer: "Dark blue", scope: "hall" }]);
    expect(await sent("esc-001", "--text", "Green", "--always")).toEqual([{ resolution: "Green", always: true }]);
    expect(await sent("0abc", "2", "--text", "Shorter")).toEqual([
      { answer: "Request changes", resolution: "Shorter" },
    ]);
  });

  it("names you, and not a person, where you asked", async () => {
    const asked = ({ path }: ApiRequest) =>
      path === "/api/escalations/esc-001" ? ok({ escalation: entry("esc-001", { escalatedBy: "person" }) }) : undefined;
    const { out } = await runCli(["escalation", "show", "esc-001"], asked);
    expect(out).toMatch(/^kind +Decision\n(?:.*\n)*asked by +you$/m);
  });

  it("says what is missing or wrong, with the exit code for it", async () => {
    const bare = await runCli(["escalation", "answer", "esc-001"], answering);
    expect([bare.code, bare.err]).toEqual([2, expect.stringContaining("1 (Red), 2 (Dark blue)")]);
    const other = await runCli(["escalation", "answer", "esc-001", "Green"], answering);
    expect([other.code, other.err]).toEqual([
      2,
      expect.stringContaining("'Green' is not one of the suggested answers."),
    ]);
    expect((await runCli(["escalation", "answer"], answering)).code).toBe(2);
    expect((await runCli(["escalation", "show", "esc-077"], answering)).code).toBe(3);
    const second = ({ method, ...request }: ApiRequest) =>
      method === "POST" ? refused("escalation_resolved", 409) : answering({ method, ...request });
    expect((await runCli(["escalation", "answer", "esc-001", "1"], second)).code).toBe(4);
    for (const words of [["--for", "2 weeks"], ["--until", "soon"], [], ["--for", "1h", "--until", AT]])
      expect((await runCli(["escalation", "snooze", "esc-001", ...words], answering)).code).toBe(2);
    const { requests } = await runCli(["escalation", "snooze", "esc-001", "--for", "2h"], answering, {
      now: () => Date.parse(AT),
    });
    expect(bodies(requests)).toEqual([{ until: "2026-11-16T14:00:00.000Z" }]);
  });

  it("lets nothing that an agent wrote act on the terminal", async () => {
    for (const words of [["list"], ["show", "esc-001"], ["answer", "esc-001", "1"], ["promote", "esc-001"]]) {
      const { out } = await runCli(["escalation", ...words], answering, { terminal: 100, env: { NO_COLOR: "1" } });
      expect(out).not.toContain("\u001b");
      expect(out).toContain("␛[31m");
    }
  });

  it("approves a result with the hash of its diff, after showing it, or, without a terminal, as it is", async () => {
    const approve = async (words: string[], how = {}) => {
      const { code, out, err, requests } = await runCli(["escalation", "answer", "0abc", ...words], answering, how);
      const sent = requests.find(({ method }) => method === "POST");
      return { code, out, err, sent: sent && { body: sent.body, etag: sent.headers["if-match"] } };
    };
    const blind = await approve(["1"]);
    expect([blind.code, blind.sent?.body]).toEqual([0, { answer: "Approve" }]);
    expect(blind.sent?.etag).toBeDefined();
    const approved = { body: { answer: "Approve" }, etag: "e2" };
    expect((await approve(["approve", "--hash", "e2"])).sent).toEqual(approved);
    const terminal = { terminal: 80, env: { NO_COLOR: "1" } };
    const declined = await approve(["1"], { ...terminal, reply: "n" });
    expect([declined.code, declined.sent]).toEqual([0, undefined]);
    const agreed = await approve(["1"], { ...terminal, reply: "y" });
    expect(agreed.out).toContain("+Dear customer");
    expect(agreed.sent).toEqual(approved);
  });

  it("goes through what is pending on a terminal; Enter skips, digits choose, Ctrl-C leaves", async () => {
    const api = await fakeApi(answering);
    const host = fakeHost({ keyboard: true, terminal: 80, env: { GUILDHALL_WORKSPACE: api.workspace, NO_COLOR: "1" } });
    const { write } = host.out;
    const typed = ["7\r", "\r", "2\r", "Shorter\r"];
    host.out.write = (text) => {
      write(text);
      if (/: $/.test(text)) queueMicrotask(() => press(typed.shift()));
    };
    const press = (keys = "") => {
      for (const key of keys) host.press(key === "\r" ? { name: "return" } : { text: key, name: key });
    };
    expect(await runCommandLine(["escalation", "answer"], host)).toBe(0);
    expect(host.printed.out).toContain("1 of 2");
    expect(host.printed.out).toContain("Choose 1-2.\n");
    expect(host.printed.out).toContain("Answer (1-2, your own words, Enter to skip): ");
    expect(host.printed.out).toMatch(/1 escalation answered\.\n$/);
    const [sent] = api.requests.filter(({ method }) => method === "POST");
    expect(sent).toMatchObject({ path: "/api/escalations/review-run-0abc/resolve", headers: { "if-match": "e1" } });
    expect(sent?.body).toEqual({ answer: "Request changes", resolution: "Shorter" });
    host.out.write = (text) => {
      write(text);
      if (/: $/.test(text)) queueMicrotask(() => host.press({ name: "c", ctrl: true }));
    };
    expect(await runCommandLine(["escalation", "answer"], host)).toBe(0);
    expect(host.printed.out).toMatch(/0 escalations answered\.\n$/);
    await api.close();
  });
});
