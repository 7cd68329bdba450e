import type { Answer } from "./answer.ts";
import type { Arrival } from "./arrival.ts";

export type Params = Record<string, string>;

/** A request and where its connection can be ended. */
export interface Visitor {
  readonly arrival: Arrival;
  readonly params: Params;
  /** Ends the connection of a client that has stopped reading. */
  cutOff(): void;
}

export type Serve = (visitor: Visitor) => Answer | Promise<Answer>;

interface Branch {
  /** By the text of the next segment. */
  readonly fixed: Map<string, Branch>;
  /** Any segment, under the names that paths give it. */
  any?: Branch;
  /** By method, with the names of the segments on the way that may be any. */
  readonly ends: Map<string, { names: readonly string[]; serve: Serve }>;
}

/** Finds who serves a path, as it was sent. A segment that is named comes before one that may be any. */
export class Router {
  readonly #root = branch();

  /** `path`: with ':name' for a segment that may be any. Of two for the same, the first counts. */
  on(method: string, path: string, serve: Serve): void {
    const names: string[] = [];
    let at = this.#root;
    for (const segment of path.split("/")) {
      if (segment.startsWith(":")) {
        names.push(segment.slice(1));
        at.any ??= branch();
        at = at.any;
      } else {
        const next = at.fixed.get(segment) ?? branch();
        at.fixed.set(segment, next);
        at = next;
      }
    }
    if (!at.ends.has(method)) at.ends.set(method, { names, serve });
  }

  /** A HEAD is served as the GET that it is about. */
  find(method: string, path: string): { serve: Serve; params: Params } | undefined {
    const values: string[] = [];
    const end = endOf(this.#root, { method: method === "HEAD" ? "GET" : method, segments: path.split("/"), values });
    if (end === undefined) return undefined;
    return { serve: end.serve, params: Object.fromEntries(end.names.map((name, at) => [name, decoded(values[at])])) };
  }
}

function branch(): Branch {
  return { fixed: new Map(), ends: new Map() };
}

interface Walk {
  method: string;
  segments: readonly string[];
  /** Of those that may be any, so far. */
  values: string[];
}

function endOf(at: Branch, walk: Walk, depth = 0): { names: readonly string[]; serve: Serve } | undefined {
  const segment = walk.segments[depth];
  if (segment === undefined) return at.ends.get(walk.method);
  const next = at.fixed.get(segment);
  const named = next && endOf(next, walk, depth + 1);
  if (named !== undefined || at.any === undefined || segment === "") return named;
  walk.values.push(segment);
  const found = endOf(at.any, walk, depth + 1);
  if (found === undefined) walk.values.pop();
  return found;
}

/** The guard has seen that it can be decoded. */
function decoded(value = ""): string {
  return value.includes("%") ? decodeURIComponent(value) : value;
}
