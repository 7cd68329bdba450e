/** How a setting of the gates is edited. An empty field inherits. */
export type GateField = { key: string; label: string; hint: string } & (
  | { kind: "switch" }
  | { kind: "choice"; choices: readonly (readonly [value: string, label: string])[] }
  | { kind: "number"; min: number; max: number }
  | { kind: "model" | "text" | "lines" }
);

/** What reviewing costs, where the person decides how much is reviewed. */
export const ALL_COSTS =
  "Each change to code runs its tests and is reviewed by a model, once per cycle. A review costs about as much as a short run.";

export const GATE_GROUPS: readonly { title: string; lead: string; fields: readonly GateField[] }[] = [
  {
    title: "What is checked",
    lead: "Which changes a gate judges before they count.",
    fields: [
      { key: "enabled", kind: "switch", label: "Quality gates", hint: "When off, no change is judged." },
      {
        key: "appliesTo",
        kind: "choice",
        label: "Applies to",
        hint: `All runs that change code: ${ALL_COSTS}`,
        choices: [
          ["teams", "Runs of teams"],
          ["all", "All runs that change code"],
          ["off", "Nothing"],
        ],
      },
      { key: "passThreshold", kind: "number", min: 70, max: 95, label: "Required score", hint: "From 70 to 95." },
      {
        key: "maxReviewCycles",
        kind: "number",
        min: 1,
        max: 10,
        label: "Cycles",
        hint: "Failed cycles before a change is escalated to you.",
      },
    ],
  },
  {
    title: "Tests",
    lead: "Which tests run, and what they have to prove.",
    fields: [
      {
        key: "testScope",
        kind: "choice",
        label: "Tests to run",
        hint: "Affected tests are chosen by the test runner; where it can't, all run.",
        choices: [
          ["affected", "Affected tests"],
          ["full", "All tests"],
          ["none", "None"],
        ],
      },
      {
        key: "enforceTDD",
        kind: "switch",
        label: "Tests fail first",
        hint: "New and changed tests must fail without the change.",
      },
      {
        key: "baselineAwareTests",
        kind: "switch",
        label: "Ignore existing failures",
        hint: "Tests that already fail on the base don't block.",
      },
      {
        key: "proof",
        kind: "choice",
        label: "Proof by reverting",
        hint: "Reverts up to 20 parts of the change one by one to see whether a test fails. Runs the tests more often.",
        choices: [
          ["off", "Off"],
          ["advise", "List unproven parts"],
          ["strict", "Unproven parts fail"],
        ],
      },
      { key: "knownFailingTests", kind: "lines", label: "Tests that may fail", hint: "One name per line." },
    ],
  },
  {
    title: "Commands",
    lead: "Detected in the base, never taken from the change itself. Set one to override it.",
    fields: [
      { key: "commands.syntax", kind: "text", label: "Syntax check", hint: "If empty, detected." },
      { key: "commands.tests", kind: "text", label: "Tests", hint: "If empty, detected." },
      {
        key: "commands.affected",
        kind: "text",
        label: "Affected tests",
        hint: "{files} is replaced by the changed files.",
      },
      { key: "commands.report", kind: "text", label: "Test report", hint: "JUnit XML file the test command writes." },
      {
        key: "timeoutSeconds.syntax",
        kind: "number",
        min: 1,
        max: 7_200,
        label: "Syntax time limit, seconds",
        hint: "",
      },
      { key: "timeoutSeconds.tests", kind: "number", min: 1, max: 7_200, label: "Test time limit, seconds", hint: "" },
      {
        key: "timeoutSeconds.suite",
        kind: "number",
        min: 1,
        max: 14_400,
        label: "Full suite time limit, seconds",
        hint: "For integration checks.",
      },
    ],
  },
  {
    title: "Review",
    lead: "Who reviews changes, and against what.",
    fields: [
      {
        key: "reviewModel",
        kind: "model",
        label: "Review model",
        hint: "Preferably of another vendor than the author's.",
      },
      {
        key: "escalationModel",
        kind: "model",
        label: "Escalation model",
        hint: "Tries again after the last cycle, before you are asked.",
      },
      {
        key: "spec",
        kind: "text",
        label: "Spec",
        hint: "File with requirements such as REQ-001, in the project's folder.",
      },
      {
        key: "rolloutSafety",
        kind: "switch",
        label: "Rollout safety",
        hint: "Also judges whether it can be rolled back.",
      },
      {
        key: "ownership",
        kind: "choice",
        label: "Two runs change one file",
        hint: "",
        choices: [
          ["off", "Allowed"],
          ["warn", "Warn"],
          ["strict", "Refuse the second"],
        ],
      },
    ],
  },
];

const FIELDS = GATE_GROUPS.flatMap(({ fields }) => fields);

/** By key, as written; empty: inherited. */
export type GateDraft = Readonly<Record<string, string>>;

function written(value: unknown): string {
  if (value === undefined || value === null) return "";
  return Array.isArray(value) ? value.join("\n") : String(value);
}

export function gateDraftOf(setting: (key: string) => unknown): GateDraft {
  return Object.fromEntries(FIELDS.map(({ key }) => [key, written(setting(key))]));
}

/** Null: it is inherited again. */
export type GateChange = readonly (readonly [key: string, value: unknown])[];

/** Only what the person changed. */
export function gateChangeOf(before: GateDraft, after: GateDraft): GateChange {
  return FIELDS.filter(({ key }) => before[key] !== after[key]).map((field) => [
    field.key,
    read(field, after[field.key]),
  ]);
}

function read({ kind }: GateField, text = ""): unknown {
  const given = text.trim();
  if (given === "") return null;
  if (kind === "switch") return given === "true";
  if (kind === "number") return Number(given);
  if (kind === "lines") return text.split("\n").flatMap((line) => line.trim() || []);
  return given;
}

/** `commands.tests` becomes `{commands: {tests: …}}`. */
export function nested(change: GateChange): Record<string, unknown> {
  const whole: Record<string, unknown> = {};
  for (const [key, value] of change) {
    const [outer = key, inner] = key.split(".");
    if (inner === undefined) whole[outer] = value;
    else whole[outer] = { ...(whole[outer] as object | undefined), [inner]: value };
  }
  return whole;
}

/** The value at a key such as `commands.tests`. */
export function valueAt(settings: unknown, key: string): unknown {
  return key
    .split(".")
    .reduce<unknown>(
      (value, name) =>
        typeof value === "object" && value !== null ? (value as Record<string, unknown>)[name] : undefined,
      settings,
    );
}

/** What an empty field comes to, in words. */
export function inheritedWords(field: GateField, value: unknown): string {
  if (value === undefined || value === null || (Array.isArray(value) && value.length === 0)) return "none";
  if (field.kind === "switch") return value === true ? "on" : "off";
  if (field.kind === "choice") return field.choices.find(([choice]) => choice === value)?.[1] ?? String(value);
  return Array.isArray(value) ? value.join(", ") : String(value);
}
