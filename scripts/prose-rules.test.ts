import { expect, it } from "vitest";
import { proseProblems } from "./prose-rules.ts";

const problemsOf = (source: string, adapters = {}) => proseProblems(new Map([["src/runs/a.ts", source]]), adapters);

it.each([
  'if (run.error.includes("budget")) stop();',
  'if (/repeated the same call/.test(run.error ?? "")) show();',
  `const isLimit = LIMIT.exec(\`\${message} \${body}\`) !== null;`,
  'const kind = String(error).startsWith("ENOENT") ? 1 : 2;',
  'if (text(after.reason).toLowerCase().indexOf("money") >= 0) pay();',
  'const [first, ...rest] = tools.because.split("; ");',
  'if (activity?.trim().endsWith("…")) wait();',
  "if (hint!.match(/guildhall/)) link();",
  'if (error.message === "It was stopped.") ignore();',
  'const key = fault.startsWith("do") ? "do" : "on";',
  'if (feedback.includes("again")) retry();',
  "const end = [...(stderr as string).matchAll(/fatal/g)];",
])("refuses code that looks into a text for people: %s", (source) => {
  const [problem, ...more] = problemsOf(source);
  expect(problem).toMatch(/^src\/runs\/a\.ts:1: looks into '\w+', a text for people/);
  expect(more).toEqual([]);
});

it.each([
  'if (run.cause === "budget") stop();',
  'if (error.code === "ENOENT" || CODES.includes(error.code)) again();',
  "if (WAITS.includes(record.reason)) wait();",
  'const first = error.split("\\n")[0];',
  "const lines = error.message.split(/\\r?\\n/);",
  'if (path.startsWith("/") && name.includes(".")) open();',
  'if (reason === "merge") merge();',
  `show(\`It failed: \${error}\`);`,
])("lets code show texts, and decide by codes: %s", (source) => {
  expect(problemsOf(source)).toEqual([]);
});

it("excuses an adapter, and names one that has nothing to excuse", () => {
  expect(problemsOf("if (/heap/.test(stderr)) end();", { "src/runs/a.ts": "Node says it so" })).toEqual([]);
  expect(problemsOf("end();", { "src/runs/a.ts": "Node says it so" })).toEqual([
    "src/runs/a.ts: is listed as an adapter, but looks into no text",
  ]);
});

it("leaves tests alone, whose subject may be the wording", () => {
  const files = new Map([["src/runs/a.test.ts", 'expect(error.includes("money")).toBe(true);']]);
  expect(proseProblems(files, {})).toEqual([]);
});
