import type { Table } from "./report.ts";
import type { Workspaces } from "./workspaces.ts";

/** What every part gets: where to work, how large, and whether a rough figure will do. */
export interface Bench {
  readonly workspaces: Workspaces;
  /** Numbers of tasks, ascending. */
  readonly sizes: readonly number[];
  readonly quick: boolean;
}

export type Part = (bench: Bench) => Promise<Table>;
