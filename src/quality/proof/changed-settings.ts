import type { GateFinding } from "../../contract/documents/quality/gate.ts";
import { manifestOf, manifestSettings } from "../checks/check-settings.ts";
import type { GateSubject } from "../gates/subject.ts";
import type { TreeChange } from "../trees/tree-source.ts";
import { found } from "./found.ts";

/** Changes to what steers compilers, runners or gates. Only a person accepts one. */
export async function changedSettings(subject: GateSubject): Promise<GateFinding[]> {
  // In a repository without a commit all of it is new, and nothing was decided before.
  if ((await subject.trees.paths(subject.baseTree)).length === 0) return [];
  const findings = await Promise.all(subject.changes.map((change) => changedSetting(subject, change)));
  return findings.flatMap((finding) => finding ?? []);
}

async function changedSetting(subject: GateSubject, change: TreeChange): Promise<GateFinding | undefined> {
  const { path, from = path, status } = change;
  const { checks, trees, baseTree, tree } = subject;
  if (checks.isCheckSetting(path) || checks.isCheckSetting(from)) return finding(path, VERBS[status]);
  const manifest = manifestOf(path);
  if (manifest === undefined) return undefined;
  const settingsIn = async (of: string, at: string) =>
    manifestSettings(manifest, String((await trees.read(of, at)) ?? ""));
  const [before, after] = await Promise.all([settingsIn(baseTree, from), settingsIn(tree, path)]);
  return before === after ? undefined : finding(path, "changed in what it says about scripts or test runners");
}

const VERBS: Readonly<Record<TreeChange["status"], string>> = {
  added: "added",
  modified: "changed",
  deleted: "deleted",
  renamed: "moved",
};

function finding(file: string, what: string): GateFinding {
  return found({
    code: "gate-settings-changed",
    severity: "high",
    file,
    message: `A file that controls compilers, test runners or gates was ${what}. The gates used the version before the change.`,
    fix: "Leave it unchanged, or have a person accept the change.",
  });
}
