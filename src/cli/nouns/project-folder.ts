import type { FolderGit, PathIdentity, WorkdirView } from "../../contract/documents/workdir.ts";
import { command } from "../command.ts";
import type { ArgumentSpec } from "../command-spec.ts";
import type { Output } from "../output.ts";
import { oneLine } from "../text/plain-text.ts";
import { type Field, fieldLines, localTime } from "../text/text-card.ts";

const STATES: Record<WorkdirView["state"], string> = {
  ok: "unchanged",
  git_appeared: "new git repository; not used",
  git_changed: "the git repository changed; runs that write are blocked",
  folder_changed: "not the original folder; agents can't use it",
  missing: "missing",
  unrecorded: "not confirmed; agents can't use it",
};

const project = { kind: "one", help: "Project id" } as const satisfies ArgumentSpec;

export const commands = {
  "project folder": command(
    {
      summary: "Show or confirm a project's working folder",
      detail:
        "If the folder or its repository was replaced, agents don't use it until you confirm it. The fingerprint identifies what was shown: if the folder changed again since, it is not confirmed.",
      args: { project },
      options: { confirm: { kind: "text", value: "FINGERPRINT", help: "Confirm the folder with this fingerprint" } },
      examples: ["project folder shop", "project folder shop --confirm 3f6c09d1…"],
    },
    async ({ project: id, confirm }, { call, output }) => {
      if (confirm === undefined) {
        const answer = await call("getWorkdir", { params: { id } });
        output.answer(answer, () => folderCard(id, answer, output));
        return 0;
      }
      const answer = await call("confirmWorkdir", { params: { id }, body: { fingerprint: confirm } });
      output.answer(answer, () => `Confirmed. Agents of ${id} now work in ${oneLine(answer.folder.workdir)}.`);
      return 0;
    },
  ),

  "project first-commit": command(
    {
      summary: "Create the first commit of an empty repository",
      detail:
        "Commits all files except those that git ignores or that look like secrets. Agents need a commit to start from.",
      args: { project },
      examples: ["project first-commit shop"],
    },
    async ({ project: id }, { call, output }) => {
      const answer = await call("createFirstCommit", { params: { id } });
      const { commit, branch, files, omitted } = answer;
      output.answer(answer, () =>
        [
          `Created the first commit on ${oneLine(branch)} (${commit.slice(0, 10)}) with ${files} file${files === 1 ? "" : "s"}.`,
          ...(omitted.length === 0 ? [] : [`Not committed, may contain secrets: ${omitted.map(oneLine).join(", ")}`]),
        ].join("\n"),
      );
      return 0;
    },
  ),
};

function folderCard(id: string, view: WorkdirView, { paint, calledAs }: Pick<Output, "paint" | "calledAs">): string {
  const { workdir, state, changes, warnings, recorded, recordedAt, now, fingerprint } = view;
  const isSame = state === "ok";
  const fields: Field[] = [
    ["state", STATES[state]],
    ["recorded", recordedAt === undefined ? undefined : localTime(recordedAt)],
    ...stateFields(isSame ? "" : "was: ", recorded),
    ...(isSame ? [] : stateFields("now: ", now)),
  ];
  const canConfirm = !isSame && fingerprint !== undefined;
  return [
    paint("bold", oneLine(workdir)),
    ...fieldLines(fields, paint),
    ...[...changes, ...warnings].map((text) => paint("yellow", oneLine(text))),
    ...(canConfirm
      ? [`If this is correct, confirm it: ${calledAs} project folder ${id} --confirm ${fingerprint}`]
      : []),
  ].join("\n");
}

function stateFields(when: string, state: WorkdirView["recorded"]): Field[] {
  if (state === undefined) return [];
  const { folder, git } = state;
  return [
    [`${when}folder`, folder === undefined ? "none" : identityText(folder)],
    [`${when}git`, gitText(git)],
  ];
}

function gitText(git: FolderGit): string {
  switch (git.state) {
    case "none":
      return "no repository";
    case "unusable":
      return `${git.at} ${git.reason}`;
    case "repository":
      return git.kind === "folder"
        ? identityText(git.repository)
        : `${identityText(git.records)}, set by the file ${git.dotGit.path}`;
  }
}

function identityText({ path, inode, born }: PathIdentity): string {
  const made =
    born === undefined ? "" : `, created ${localTime(new Date(Number(BigInt(born) / 1_000_000n)).toISOString())}`;
  return `${path} (inode ${inode}${made})`;
}
