import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../../test/harness/temporary-folder.ts";
import type { Message } from "../../contract/runs/model-call.ts";
import { Files } from "../../store/files/files.ts";
import { fillTurn, Playbook, turnAt } from "./playbook.ts";
import { PlaybookFolder } from "./playbook-folder.ts";
import { CHANGES_REQUESTED, SUBMITTED_WORK } from "./task-prompt.ts";

const result = (name: string, output: string) => ({ id: name, name, output, failed: false });

function filled(turn: object, messages: Message[]) {
  const [first] = Playbook.parse({ turns: [turn] }).turns;
  if (first === undefined) throw new Error("no turn");
  return fillTurn(first, messages);
}

describe("a turn of a playbook", () => {
  const messages: Message[] = [
    { role: "user", text: "# Your Task\n\n**Title:** Fix the login\n" },
    { role: "assistant", text: "", thinking: [], calls: [] },
    { role: "tool", results: [result("list", "a.ts"), result("read", "1: one")] },
    { role: "user", text: "Hurry up." },
    { role: "tool", results: [result("read", "1: two")] },
  ];

  it("speaks of what was seen, wherever it stands", () => {
    const turn = filled(
      {
        text: "{{title}}|{{message}}|{{last}}|{{last.list}}|{{result.2}}",
        think: "{{last.read}}",
        calls: [
          { tool: "write", input: { path: "x", deep: [{ content: "<{{last}}>" }], lines: 3, sure: true, none: null } },
        ],
      },
      messages,
    );
    expect(turn.text).toBe("Fix the login|Hurry up.|1: two|a.ts|1: one");
    expect(turn.think).toBe("1: two");
    expect(turn.calls[0]?.input).toEqual({
      path: "x",
      deep: [{ content: "<1: two>" }],
      lines: 3,
      sure: true,
      none: null,
    });
  });

  it("is filled in one pass and literally", () => {
    const hostile = "{{prompt}} $& $1 {{last}}";
    const seen: Message[] = [
      { role: "user", text: "secret" },
      { role: "tool", results: [result("read", hostile)] },
    ];
    expect(filled({ text: "A {{last}} Z {{unknown}} {{ last }} {{constructor}}" }, seen).text).toBe(
      `A ${hostile} Z {{unknown}} {{ last }} {{constructor}}`,
    );
  });

  it("comes again when the playbook repeats, and else there is an end", () => {
    const turns = [{ text: "a" }, { text: "b" }];
    const texts = (playbook: Playbook) => [0, 1, 2, 3].map((number) => turnAt(playbook, number)?.text);
    expect(texts(Playbook.parse({ turns }))).toEqual(["a", "b", undefined, undefined]);
    expect(texts(Playbook.parse({ turns, repeat: true }))).toEqual(["a", "b", "a", "b"]);
  });
});

describe("the folder of playbooks", () => {
  function folder(files: Record<string, string>) {
    const root = temporaryFolder();
    mkdirSync(join(root, "playbooks"));
    const write = (name: string, text: string) => writeFileSync(join(root, "playbooks", name), text);
    for (const [name, text] of Object.entries(files)) write(name, text);
    return { playbooks: new PlaybookFolder(new Files(root)), write };
  }

  it("may be missing", () => {
    const root = temporaryFolder();
    const playbooks = new PlaybookFolder(new Files(root));
    expect([playbooks.names(), playbooks.named("x"), playbooks.fitting({ prompt: "x" })]).toEqual([
      [],
      undefined,
      undefined,
    ]);
  });

  it("finds playbooks by name, and by what their prompt must hold", () => {
    const { playbooks } = folder({
      "b.yml": "when: login\nturns: [{text: b}]",
      "a.yaml": "when: logout\nturns: [{text: a}]",
      "c.yml": "turns: [{text: c}]",
      "notes.txt": "",
      "..yml": "",
    });
    expect(playbooks.names()).toEqual(["a", "b", "c"]);
    expect(playbooks.named("c")?.turns[0]?.text).toBe("c");
    expect(playbooks.named("../b")).toBeUndefined();
    expect(playbooks.fitting({ prompt: "Fix the login" })?.turns[0]?.text).toBe("b");
    expect(playbooks.fitting({ prompt: "Anything else" })).toBeUndefined();
    const prompt = "# Your Task\n\n**Title:** Fix the door\n**Type:** bug";
    expect(playbooks.fitting({ prompt, system: "You code. Fix the door\n\nIt is the login." })?.turns[0]?.text).toBe(
      "b",
    );
    expect(playbooks.fitting({ prompt, system: "You know the login. Fix the door" })).toBeUndefined();
  });

  it("plays what says most about the run: its role, its task, that it was sent back", () => {
    const { playbooks } = folder({
      "a.yml": "when: login\nturns: [{text: anybody}]",
      "b.yml": "role: reviewer\nturns: [{text: any task}]",
      "c.yml": "role: Code Reviewer\nwhen: login\nturns: [{text: both}]",
      "d.yml": "when: login\nsentBack: true\nturns: [{text: again}]",
      "e.yml": "role: reviewer\nwhen: logout\nturns: 5",
      "f.yml": "tool: refute\nturns: [{text: a second look}]",
      "g.yml": "tool: submit_review\nrole: reviewer\nwhen: login\nturns: [{text: for a gate}]",
    });
    const reviewer = { id: "reviewer", name: "Code Reviewer" };
    const coder = { id: "coder", name: "Coder" };
    const played = (prompt: string, role?: typeof coder) => playbooks.fitting({ prompt, role })?.turns[0]?.text;
    expect(played("login", reviewer)).toBe("both");
    expect(played("anything", reviewer)).toBe("any task");
    expect([played("login", coder), played("login")]).toEqual(["anybody", "anybody"]);
    expect(playbooks.fitting({ prompt: "x", tools: ["read", "refute"] })?.turns[0]?.text).toBe("a second look");
    const gate = { prompt: "login", role: reviewer, tools: ["read", "submit_review"] };
    expect(playbooks.fitting(gate)?.turns[0]?.text).toBe("for a gate");
    const sentBack = `# Your Task\nlogin\n\n${CHANGES_REQUESTED}\n\nSay {{title}} better.\n\n---\nWork in: /x`;
    expect(played(sentBack, coder)).toBe("again");
    expect(filled({ text: "{{remarks}}" }, [{ role: "user", text: sentBack }]).text).toBe("Say {{title}} better.");
    expect(() => played("logout", reviewer)).toThrow(/playbooks\/e\.yml/);
    const submitted = `# Your Task\nlogin\n\n${SUBMITTED_WORK}\n    +logout\n\n---\nWork in: /x`;
    expect(played(submitted, reviewer)).toBe("both");
  });

  it("plays what the file says now", () => {
    const { playbooks, write } = folder({ "a.yml": "turns: [{text: old}]" });
    expect(playbooks.named("a")?.turns[0]?.text).toBe("old");
    write("a.yml", "turns: [{text: new}]");
    expect(playbooks.named("a")?.turns[0]?.text).toBe("new");
  });

  it.each([
    [
      "turns:\n  - text: hi\n    call: []\n",
      /playbooks\/a\.yml is not valid: line 3: turns\.0\.call: is not a known key/,
    ],
    ["turns:\n  - calls:\n      - tool: read\n        input: 5\n", /line 4: turns\.0\.calls\.0\.input: /],
    ["turns: []\n", /line 1: turns: /],
    ["turn: []\n", /playbooks\/a\.yml is not valid: line 1: /],
    ["", /playbooks\/a\.yml is not valid/],
    ["turns:\n  - text: 'open\n", /playbooks\/a\.yml is not YAML: line \d: /],
    ["turns: [{text: a}]\nturns: [{text: b}]\n", /is not YAML: line 2: /],
    ["turns: [{calls: [{tool: read, input: {a: 1}, rawInput: x}]}]", /turns\.0\.calls\.0\.rawInput: /],
    [`turns: [{text: "${"x".repeat(1_000_001)}"}]`, /too large/],
  ])("says where a broken one is broken (%#)", (text, wanted) => {
    const { playbooks } = folder({ "a.yml": text });
    expect(() => playbooks.named("a")).toThrow(wanted);
  });

  it("is not stopped by a broken one that is not wanted", () => {
    const { playbooks } = folder({ "a.yml": "when: logout\nturns: 5", "b.yml": "when: login\nturns: [{text: b}]" });
    expect(playbooks.fitting({ prompt: "login" })?.turns[0]?.text).toBe("b");
    expect(() => playbooks.fitting({ prompt: "logout" })).toThrow(/playbooks\/a\.yml/);
  });
});
