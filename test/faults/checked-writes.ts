import { expect } from "vitest";
import type { BodyOf } from "../harness/answer.ts";
import type { Answer, Hall } from "../harness/daemon.ts";
import { PROJECT } from "../harness/spawned-runs.ts";

interface Write {
  method: "POST" | "PUT";
  path: string;
  body: object;
  /** Where it can be read, as its answer tells, and what is read there then. */
  read: (body: BodyOf<"createTask"> & BodyOf<"createArtifact">) => string;
  holds: string;
}

const inProject = `/api/projects/${PROJECT}`;

/** Changes of every kind; some make something new, others change what is there. */
const KINDS: ((n: number) => Write)[] = [
  (n) => ({
    method: "POST",
    path: `${inProject}/tasks`,
    body: { title: `Task ${n}` },
    read: ({ task }) => `${inProject}/tasks/${task.id}`,
    holds: `"title":"Task ${n}"`,
  }),
  (n) => ({
    method: "PUT",
    path: `${inProject}/tasks/TASK-001`,
    body: { notes: `note ${n}` },
    read: () => `${inProject}/tasks/TASK-001`,
    holds: `"notes":"note ${n}"`,
  }),
  (n) => ({
    method: "POST",
    path: `${inProject}/artifacts`,
    body: { name: `a${n}.md`, content: `artifact ${n}.` },
    read: ({ artifact }) => `${inProject}/file?path=${encodeURIComponent(artifact.path)}`,
    holds: `artifact ${n}.`,
  }),
  (n) => ({
    method: "PUT",
    path: `${inProject}/context`,
    body: { path: "c.md", content: `context ${n}.` },
    read: () => `${inProject}/file?path=CONTEXT/c.md`,
    holds: `context ${n}.`,
  }),
  (n) => ({
    method: "PUT",
    path: "/api/roles/helper",
    body: { description: `description ${n}.` },
    read: () => "/api/roles/helper",
    holds: `description ${n}.`,
  }),
];

/** Writes that may fail, and what must be read after them. */
export class CheckedWrites {
  /** By where it is read: what may be there. After a failure of unknown outcome, that is the old or the new. */
  readonly #expected = new Map<string, Set<string>>();
  #count = 0;

  get kept(): number {
    return this.#expected.size;
  }

  /** Sends the next write; it is done, or refused because of the disk. Answers where to read it, when that is known. */
  async next(hall: Hall, when: string): Promise<string | undefined> {
    const n = this.#count++;
    const { method, path, body, read, holds } = (KINDS[n % KINDS.length] as (typeof KINDS)[number])(n);
    const answer = (await hall.call(method, path, body)) as Answer<Parameters<Write["read"]>[0]>;
    const told = `${when}: ${method} ${path}: ${JSON.stringify(answer.body.error)}`;
    if (answer.status < 300) {
      const place = read(answer.body);
      this.#expected.set(place, new Set([holds]));
      return place;
    }
    expect([answer.status, answer.body.error?.code], told).toEqual([503, "storage_failed"]);
    if (method === "POST") return undefined;
    const place = read(answer.body);
    if (answer.body.error.changed !== "no") this.#expected.get(place)?.add(holds);
    return place;
  }

  /** All of them, or those that are read at these places. */
  async verify(hall: Hall, when: string, places: Iterable<string> = this.#expected.keys()): Promise<void> {
    for (const place of new Set(places)) {
      const holds = this.#expected.get(place);
      if (holds === undefined) continue;
      const { status, body } = await hall.call("GET", place);
      expect(status, `${when}: ${place}: ${JSON.stringify(body.error)}`).toBe(200);
      const text = JSON.stringify(body);
      expect(
        [...holds].some((one) => text.includes(one)),
        `${when}: ${place} is ${text}`,
      ).toBe(true);
    }
  }
}
