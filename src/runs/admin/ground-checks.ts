import { HallError } from "../../contract/errors.ts";
import { FORMAT } from "../../contract/format.ts";
import type { HealthCheck } from "../../contract/routes/settings-routes.ts";
import { hint } from "../../contract/words/hint.ts";
import { FolderReader } from "../../store/files/folder-reader.ts";
import { type FolderState, folderState } from "../../store/files/listing/folder-state.ts";
import { type DiskRoom, diskRoom } from "../../store/host/disk-room.ts";
import { modeOf } from "../../store/host/programs.ts";
import { CONFIG_FILE, loadConfig } from "../../workspace/config-file.ts";
import { readFormat } from "../../workspace/hall/workspace-format.ts";
import { SECRETS_FILE, STATE_FOLDER } from "../../workspace/layout.ts";
import { failed, ok, warning } from "./health-check.ts";

const LEAST_NODE = 24;
const LITTLE_ROOM = 1024 ** 3;
const TOO_LITTLE_ROOM = 100 * 1024 ** 2;

const secrets = { id: "secrets", title: "Secrets folder", path: STATE_FOLDER, mode: "700" };
const keys = { id: "keys-file", title: "Keys file", path: SECRETS_FILE, mode: "600" };
const token = { id: "token", title: "Token", path: `${STATE_FOLDER}/token`, mode: "600" };

/** What a daemon stands on, and what can be looked at whether one runs or not. `named`: the workspace as commands name it. */
export function groundChecks(workspace: string, named?: string): HealthCheck[] {
  const state = folderState(workspace);
  const first = [nodeCheck(process.versions.node), workspaceCheck(workspace, state, named)];
  if (state !== "open") return first;
  return [
    ...first,
    privacyCheck(workspace, secrets),
    privacyCheck(workspace, token),
    // Only where it is open: there need be none.
    ...[privacyCheck(workspace, keys)].filter(({ state }) => state === "failed"),
    ...misplacedCheck(workspace),
    formatCheck(new FolderReader(workspace)),
    configCheck(new FolderReader(workspace)),
    diskCheck(diskRoom(workspace)),
  ];
}

export function nodeCheck(version: string): HealthCheck {
  const node = { id: "node", title: "Node.js" };
  if (Number.parseInt(version, 10) >= LEAST_NODE) return ok(node, version);
  return failed(
    node,
    `${version} is too old`,
    `Install Node.js ${LEAST_NODE} or newer, or run 'npm ci' in the Guildhall folder.`,
  );
}

function workspaceCheck(path: string, state: FolderState, named: string | undefined): HealthCheck {
  const workspace = { id: "workspace", title: "Workspace" };
  switch (state) {
    case "open":
      return ok(workspace, path);
    case "none":
      return failed(workspace, `not found at ${path}`, hint("daemon-creates", { workspace: named }));
    case "file":
      return failed(workspace, `${path} is not a folder`);
    case "closed":
      return failed(
        workspace,
        `${path} is not readable and writable`,
        "Change its permissions so that you can read and write it.",
      );
  }
}

/** Other users of the machine must not read what holds the token. */
function privacyCheck(workspace: string, { path, mode, ...subject }: typeof token): HealthCheck {
  const actual = modeOf(`${workspace}/${path}`);
  if (actual === undefined) return warning(subject, `${path} does not exist`, hint("daemon-creates"));
  const shown = `${path} has mode ${actual.toString(8).padStart(4, "0")}`;
  // Where Windows is, permissions are told in another way.
  if (process.platform === "win32" || (actual & 0o077) === 0) return ok(subject, shown);
  return failed(
    subject,
    `${shown}: accessible to other users`,
    `Remove access for others: chmod ${mode} '${`${workspace}/${path}`.replaceAll("'", "'\\''")}'`,
  );
}

/** A workspace that is itself called .guildhall makes it easy to put keys one folder too high, where nobody looks for them. */
function misplacedCheck(workspace: string): HealthCheck[] {
  const path = `${workspace}/secrets`;
  if (modeOf(path) === undefined) return [];
  const keys = { id: "misplaced-keys", title: "Keys" };
  return [warning(keys, `${path} is ignored`, `Move its lines into ${workspace}/${SECRETS_FILE}, and remove it.`)];
}

/** The format of the files, and whether this program can open it. */
function formatCheck(files: FolderReader): HealthCheck {
  const subject = { id: "format", title: "Workspace format" };
  try {
    const { format: value, migrated } = readFormat(files);
    if (value > FORMAT)
      return {
        ...failed(subject, `${value}; this version reads up to ${FORMAT}`, "Install a newer version of Guildhall."),
        value,
      };
    if (value < FORMAT) return { ...ok(subject, `${value}; the next start migrates it to ${FORMAT}`), value };
    const from =
      migrated && `, migrated from ${migrated.from} on ${migrated.at.slice(0, 10)}; copies in ${migrated.copies}`;
    return { ...ok(subject, `${value}${from ?? ""}`), value };
  } catch (error) {
    if (!(error instanceof HallError)) throw error;
    return failed(subject, error.message, error.hint);
  }
}

/** Whether a daemon could start with the settings as they are now. */
function configCheck(files: FolderReader): HealthCheck {
  const config = { id: "config", title: "Configuration" };
  if (!files.exists(CONFIG_FILE)) return ok(config, "no config.yml; using defaults");
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(files.read(CONFIG_FILE));
    loadConfig(files);
    return ok(config, "config.yml is valid");
  } catch (error) {
    if (error instanceof HallError && error.code === "config_invalid")
      return failed(config, `${error.message} (${CONFIG_FILE}:${error.line ?? 1})`, error.hint);
    return failed(config, "config.yml cannot be read", "It must be a readable file of UTF-8 text.");
  }
}

function diskCheck(room: DiskRoom | undefined): HealthCheck {
  const disk = { id: "disk", title: "Disk" };
  if (room === undefined) return warning(disk, "free disk space is unknown");
  const detail = `${gigabytes(room.free)} of ${gigabytes(room.size)} GB free`;
  if (room.free >= LITTLE_ROOM) return ok(disk, detail);
  const hint = "Free up space on the workspace's disk.";
  return (room.free < TOO_LITTLE_ROOM ? failed : warning)(disk, detail, hint);
}

const gigabytes = (bytes: number) => (bytes / 1024 ** 3).toFixed(1);
