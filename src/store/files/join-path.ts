import { join } from "node:path";

/** A segment that is empty, or says where to go instead of what to find there. */
const DETOUR = /(?:^|\/)\.{0,2}(?:\/|$)/;

/** As `join` of `node:path` below a real path. Several times as fast where there is nothing to resolve, which is nearly always. */
export function joinPath(root: string, path: string): string {
  return DETOUR.test(path) || root.endsWith("/") ? join(root, path) : `${root}/${path}`;
}
