import type { FolderGit, PathIdentity, WorkdirView } from "../../contract/documents/workdir.ts";
import { command } from "../command.ts";
import type { ArgumentSpec } from "../command-spec.ts";
import type { Output } from "../output.ts";
import { oneLine } from "../text/plain-text.ts";
import { type Field, fieldLines, localTime } from "../text/text-card.ts";

const STATES: Record<WorkdirView["state"], string> = {
  ok: "as recorded",
  git_appeared: "a git repository appeared; it is not used",
  git_changed: "the git repository changed; runs that write are refused",
  folder_changed: "not the folder that was named; nothing is run or read there",
  missing: "missing",
  unrecorded: "not recorded; nothing is run or read there",
};

const project = { kind: "one", help: "the project's id" } as const satisfies ArgumentSpec;

export const commands = {
  "project folder": command(
    {
      summary: "show the working folder as it was named and as it is now",
      detail:
        "A folder or repository that is not the one that was named is not used until it is confirmed. The fingerprint belongs to what was shown: if that changed since, nothing is confirmed.",
      args: { project },
      options: { confirm: { kind: "text", value: "FINGERPRINT", help: "confirm the folder as it was shown" } },
      examples: ["project folder shop", "project folder shop --confirm 3f6c09d1…"],
    },
    async ({ project: id, confirm }, { call, output }) => {
      if (confirm === undefined) {
        const answer = await call("getWorkdir", { params: { id } });
        output.answer(answer, () => folderCard(id, answer, output));
        return 0;
      }
      const answer = await call("confirmWorkdir", { params: { id }, body: { fingerprint: confirm } });
      output.answer(
        answer,
        () => `Confirmed: the agents of ${id} work in ${oneLine(answer.folder.workdir)} as it is now.`,
      );
      return 0;
    },
  ),

  "project first-commit": command(
    {
      summary: "create the first commit of a repository that has none",
      detail:
        "Commits all files of the repository except those that git ignores or that look like secrets. Agents start from a commit.",
      args: { project },
      examples: ["project first-commit shop"],
    },
    async ({ project: id }, { call, output }) => {
      const answer = await call("createFirstCommit", { params: { id } });
      const { commit, branch, files, omitted } = answer;
      output.answer(answer, () =>
        [
          `Created the first commit on ${oneLine(branch)} (${commit.slice(0, 10)}) with ${files} file${files === 1 ? "" : "s"}.`,
          ...(omitted.length === 0 ? [] : [`Left out, may hold secrets: ${omitted.map(oneLine).join(", ")}`]),
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
    ...(canConfirm ? [`If this is right, confirm it: ${calledAs} project folder ${id} --confirm ${fingerprint}`] : []),
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
        : `${identityText(git.records)}, named by the file ${git.dotGit.path}`;
  }
}

function identityText({ path, inode, born }: PathIdentity): string {
  const made =
    born === undefined ? "" : `, created ${localTime(new Date(Number(BigInt(born) / 1_000_000n)).toISOString())}`;
  return `${path} (inode ${inode}${made})`;
}
