import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { HallError } from "../../contract/errors.ts";
import type { Call } from "../http/client.ts";

interface ExportedTeam {
  folder: string;
  files: string[];
}

/**
 * Writes what a team leaves for an audit, and for another team that carries out its plan: spec, coverage, plan, role-specs, gate reports
 * and report. What it has not made is left out.
 */
export async function exportTeam(id: string, folder: string, call: Call): Promise<ExportedTeam> {
  const params = { id };
  const { team } = await call("getTeam", { params });
  const [spec, plan, { roleSpecs }, { tasks }, { activity }, { report, text }] = await Promise.all([
    made(call("getTeamSpec", { params })),
    made(call("getTeamPlan", { params })),
    call("listRoleSpecs", { params }),
    call("listTeamTasks", { params }),
    call("listTeamActivity", { params, query: {} }),
    call("getTeamReport", { params }),
  ]);
  const files = new Map<string, string>([
    ["team.json", json(team)],
    ["report.md", text],
    ["report.json", json(report)],
    ["tasks.json", json(tasks)],
    ["activity.json", json(activity)],
  ]);
  if (spec !== undefined) {
    files.set("spec.md", spec.text);
    files.set("coverage.json", json(spec.criteria));
  }
  for (const { name, text: roleSpec } of roleSpecs) files.set(`role-specs/${name}.md`, roleSpec);
  if (plan !== undefined) files.set("plan.json", json(plan.plan));
  for (const runId of tasks.flatMap(({ runIds }) => runIds)) {
    const answer = await made(call("listRunGates", { params: { id: runId } }));
    for (const gate of answer?.gates ?? []) files.set(`gates/${gate.id}.json`, json(gate));
  }
  const check = team.checkId && (await made(call("getIntegrationCheck", { params: { id: team.checkId } })));
  if (check) files.set(`gates/${check.check.id}.json`, json(check.check));
  return { folder, files: written(folder, files) };
}

/** Undefined for what the team does not have yet. */
async function made<Answer>(answer: Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (
      error instanceof HallError &&
      ["team_refused", "file_not_found", "run_not_found", "gate_not_found"].includes(error.code)
    )
      return undefined;
    throw error;
  }
}

function written(folder: string, files: ReadonlyMap<string, string>): string[] {
  try {
    for (const [name, text] of files) {
      const path = join(folder, name);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, text);
    }
  } catch (error) {
    const reason = error instanceof Error && "code" in error ? ` (${String(error.code)})` : "";
    throw new HallError("usage", `Can't write to the folder${reason}.`, {
      file: folder,
      hint: "Choose another one with --to.",
    });
  }
  return [...files.keys()].toSorted();
}

function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
