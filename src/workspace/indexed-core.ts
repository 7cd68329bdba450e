import type { HallIndex } from "../store/index/hall-index.ts";
import type { Core } from "./core.ts";

/** What the parts of the workspace work with: they keep the index in step with the files, and alone see its tables. */
export interface IndexedCore extends Core {
  index: HallIndex;
}
