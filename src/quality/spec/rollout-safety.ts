import { basename, dirname, extname } from "node:path/posix";
import type { GateFinding } from "../../contract/documents/quality/gate.ts";
import type { GateSubject, StageOutcome } from "../gates/subject.ts";
import { found } from "../proof/found.ts";
import type { TreeChange } from "../trees/tree-source.ts";

const PENALTY = 30;

/** Whether the change can be rolled back: what it takes away, and whether a text says how to go back. */
export async function rolloutSafety(subject: GateSubject): Promise<StageOutcome> {
  if (!subject.settings.rolloutSafety) {
    const reason = { code: "disabled", text: "Rollout safety is turned off in the gate settings." } as const;
    return { verdict: "skipped", score: null, reason, findings: [], evidence: [] };
  }
  const risks = (await Promise.all(subject.changes.map((change) => risksOf(subject, change)))).flat();
  const hasNote = [subject.spec, subject.task?.description, subject.task?.notes].some(
    (text) => text !== undefined && ROLLBACK.test(text),
  );
  const note = hasNote
    ? []
    : [
        found({
          code: "no-rollback",
          severity: "high",
          message: "Neither the spec nor the task says how to roll this change back.",
          fix: "Add a section 'Rollback' to the spec or to the task.",
        }),
      ];
  // What a rollback note covers is no obstacle, only worth knowing.
  const findings = [
    ...note,
    ...risks.map((risk) => (hasNote ? risk : { ...risk, severity: "high" as const, blocks: true })),
  ];
  const score = Math.max(0, 100 - PENALTY * findings.filter(({ blocks }) => blocks).length - 5 * risks.length);
  const isFailed = findings.some(({ blocks }) => blocks) || score < 70;
  const text = `${risks.length} changes that are hard to revert; rollback note: ${hasNote ? "yes" : "no"}.`;
  return {
    verdict: isFailed ? "fail" : "pass",
    score: isFailed ? Math.min(score, 65) : score,
    findings,
    evidence: [{ type: "note", text }],
  };
}

const ROLLBACK = /\broll(?:s|ed|ing)?[ -]?back\b|\brevert (?:plan|by|the)\b|\bback ?out plan\b/i;

async function risksOf(subject: GateSubject, change: TreeChange): Promise<GateFinding[]> {
  const { trees, baseTree, tree, checks } = subject;
  const { path, from = path, status } = change;
  if (change.binary || checks.isTest(path)) return [];
  const [before, after] = await Promise.all([
    status === "added" ? "" : trees.read(baseTree, from).then((content) => String(content ?? "")),
    status === "deleted" ? "" : trees.read(tree, path).then((content) => String(content ?? "")),
  ]);
  const migration = status === "deleted" ? undefined : await lackingDown(subject, path, after);
  const gone = [
    ...lost(before, after, PUBLIC_NAMES[extname(path)] ?? []).map((name) => `the public name '${name}'`),
    ...lost(before, after, ROUTES).map((name) => `the route '${name}'`),
    ...(CONFIG_FILE.test(path) ? lost(before, after, CONFIG_KEYS).map((name) => `the setting '${name}'`) : []),
  ];
  return [
    ...(migration === undefined ? [] : [risk(path, "migration", migration)]),
    ...gone.map((what) => risk(path, what, `The change removes ${what}. Callers that still use it break.`)),
  ];
}

const risk = (file: string, about: string, message: string) =>
  found({ code: "no-rollback", severity: "low", file, about, message, blocks: false });

const MIGRATION = /(?:^|\/)(?:migrations?|migrate|alembic\/versions)\//i;

/** Tools keep the way back in the same file, or in one beside it. */
async function lackingDown({ trees, tree }: GateSubject, path: string, text: string): Promise<string | undefined> {
  if (!MIGRATION.test(path) || !/\.(?:sql|[cm]?[jt]s|py|rb|php|go)$/.test(path) || /\bdown\b/i.test(basename(path)))
    return undefined;
  if (/\bdown(?:grade)?\b|\breverse_(?:code|sql)\b|\bdef change\b|-- *(?:\+goose|migrate:) ?down/i.test(text))
    return undefined;
  const twin = basename(path).replace(/\bup\b/i, "down");
  const folder = dirname(path);
  const paths = twin === basename(path) ? [] : await trees.paths(tree);
  if (paths.includes(folder === "." ? twin : `${folder}/${twin}`)) return undefined;
  return "The migration has no way back.";
}

const PUBLIC_NAMES: Readonly<Record<string, readonly RegExp[]>> = (() => {
  const exported = [
    /^export\s+(?:default\s+)?(?:async\s+)?(?:abstract\s+)?(?:const|let|var|function\*?|class|interface|type|enum)\s+(\w+)/gm,
    /^(?:module\.)?exports\.(\w+)\s*=/gm,
  ];
  const [python, go, rust] = [
    [/^(?:async\s+)?(?:def|class)\s+([A-Za-z]\w*)/gm],
    [/^(?:func|type|var|const)\s+([A-Z]\w*)/gm],
    [/^pub\s+(?:async\s+)?(?:fn|struct|enum|trait|const|type|mod)\s+(\w+)/gm],
  ];
  const scripts = Object.fromEntries(
    [".js", ".jsx", ".mjs", ".cjs", ".ts", ".tsx", ".mts", ".cts"].map((end) => [end, exported]),
  );
  return { ...scripts, ".py": python ?? [], ".go": go ?? [], ".rs": rust ?? [] };
})();

const ROUTES = [
  /\b(?:app|router|server|api|fastify)\.(?:get|post|put|patch|delete|all)\(\s*["'`]([^"'`]+)/g,
  /@(?:app|router|blueprint|bp|api)\.(?:route|get|post|put|patch|delete)\(\s*["']([^"']+)/g,
  /@(?:Get|Post|Put|Patch|Delete|RequestMapping|GetMapping|PostMapping)\(\s*["']([^"']+)/g,
  /\b(?:HandleFunc|Handle)\(\s*"([^"]+)/g,
];

const CONFIG_FILE =
  /(?:^|\/)(?:\.env\.(?:example|sample|template|dist)|(?:config|settings)(?:\.[\w-]+)?\.(?:json|ya?ml|toml|ini))$/;
const CONFIG_KEYS = [/^\s*"?([A-Za-z_][\w.-]*)"?\s*[:=]/gm];

function lost(before: string, after: string, patterns: readonly RegExp[]): string[] {
  const names = (text: string) =>
    new Set(patterns.flatMap((pattern) => Array.from(text.matchAll(pattern), (match) => match[1] ?? "")));
  const kept = names(after);
  return [...names(before)].filter((name) => !kept.has(name));
}
