import type { GitGuard } from "../agent/git-guard.ts";
import type { Tool } from "../agent/tool.ts";
import type { Transcript } from "../agent/transcript.ts";
import type { Guards } from "../contract/runs/guarding.ts";
import type { RecordedEnd } from "../contract/runs/journal.ts";
import type { FromProcess, OrderOf } from "../contract/runs/protocol.ts";
import type { RunPlan } from "../contract/runs/run.ts";
import type { Files } from "../store/files/files.ts";
import type { Redactor } from "../store/secrets/redaction.ts";
import type { Slots } from "../workspace/slots.ts";
import type { HallProxy } from "./hall-proxy.ts";
import type { ModelProxy } from "./model-proxy.ts";

/** A run that has ended. */
export interface Finished {
  order: OrderOf<"run">;
  end: RecordedEnd;
  /** Absent when its end was found in its journal. */
  played?: { plan: RunPlan; transcript: Transcript } | undefined;
}

/** A folder that agents work in. */
export interface WorkFolder {
  /** Absolute. */
  path: string;
  /** File tools over it. */
  tools: Tool[];
  /** Whether there is such a file in it. */
  hasFile: (path: string) => boolean;
}

interface Clocks {
  clock: () => Date;
  /** Milliseconds of a clock that never jumps. */
  uptime: () => number;
}

/** What the runs of a project's process work with. */
export interface Workshop {
  /** The project's own folder, where the journals lie. */
  journals: Files;
  /** The one the agents work in. */
  folder: WorkFolder;
  /** Another one, for a run that has one of its own. */
  folderAt: (path: string) => WorkFolder;
  /** Over the project's memory, and the web. */
  otherTools: Tool[];
  /** The folder of the project's; `folder` is a worktree of it, if it is another one. */
  checkout: string;
  /** Over a folder that commands may write without a repository of their own. */
  guardOf: (folder: string) => GitGuard;
  /** Hides the secrets of the project, as they are now. */
  redactor: () => Redactor;
  slots: Slots;
  models: ModelProxy;
  hall: HallProxy;
  /** Which calls of the project's agent the hall is asked about, as it said last. */
  agentGuards: { now: Guards | undefined };
  /** A word that nobody can guess. */
  nextMark: () => string;
  send: (message: FromProcess) => void;
  time: Clocks;
  leaveMs?: number;
  /** Called before the end of a run is told. Answers whether it can be looked back on. */
  onEnded?: (finished: Finished) => boolean;
}
