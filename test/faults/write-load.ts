import type { BodyOf } from "../harness/answer.ts";
import type { Answer, Hall } from "../harness/daemon.ts";
import type { Ledger, Reader } from "./ledger.ts";

const PROJECT = "load";
const WRITERS = 8;
/** Around the board and back, by legal moves only. */
const NEXT_STATUS: Record<string, string> = {
  pending: "in-progress",
  "in-progress": "review",
  review: "done",
  done: "in-progress",
};

// biome-ignore lint/suspicious/noExplicitAny: answers are looked into freely by tests; their shape is checked elsewhere
type Body = any;

const tasks: Reader = {
  path: (id) => `/api/projects/${PROJECT}/tasks/${id}`,
  written: ({ task }: Body) => ({ title: task.title, status: task.status, notes: task.notes }),
};
const roles: Reader = {
  path: (id) => `/api/roles/${id}`,
  written: ({ role }: Body) => ({ description: role.description, skills: role.skills }),
};
const projects: Reader = {
  path: (id) => `/api/projects/${id}`,
  written: ({ project }: Body) => ({ description: project.description, goals: project.config.goals }),
};
const files: Reader = {
  path: (id) => `/api/projects/${PROJECT}/file?path=${encodeURIComponent(id)}`,
  written: ({ file }: Body) => ({ content: file.content }),
};

/** What the writers need to be there; made once, before the first load. */
export async function prepare(hall: Hall, ledger: Ledger): Promise<void> {
  ok(await hall.call("POST", "/api/projects", { id: PROJECT, name: "Load" }));
  ledger.acknowledge(projects, PROJECT, { description: "", goals: [] });
  for (let writer = 0; writer < WRITERS; writer++) {
    ok(await hall.call("POST", "/api/roles", { id: `role-${writer}`, name: `Role ${writer}` }));
    ledger.acknowledge(roles, `role-${writer}`, { description: "", skills: [] });
  }
}

/** Eight clients that write as fast as they are answered, until the daemon is gone. */
export async function writeUntilGone(hall: Hall, ledger: Ledger, random: () => number): Promise<void> {
  const load = new Load(hall, ledger, random);
  await Promise.all(Array.from({ length: WRITERS }, (_, writer) => load.run(writer)));
}

/** Asks again for every creation whose answer never came, and for some whose answer did. */
export async function repeatCreations(hall: Hall, ledger: Ledger): Promise<void> {
  for (const [key, body] of [...ledger.unanswered]) {
    const { task } = ok(await postTask(hall, key, body)).body;
    ledger.taskCreated(key, task.id, body);
    ledger.acknowledge(tasks, task.id, tasks.written({ task }));
  }
  for (const [key, made] of [...ledger.created].slice(-5)) {
    const { task } = ok(await postTask(hall, key, made.body)).body;
    if (task.id !== made.id) throw new Error(`${key} made ${made.id} and, repeated after the crash, ${task.id}`);
  }
}

let numbers = 0;

class Load {
  readonly #hall: Hall;
  readonly #ledger: Ledger;
  readonly #random: () => number;
  readonly #owned = Array.from({ length: WRITERS }, (): string[] => []);

  constructor(hall: Hall, ledger: Ledger, random: () => number) {
    this.#hall = hall;
    this.#ledger = ledger;
    this.#random = random;
    // Each document has one writer, so that at most one change of it is under way when the daemon dies.
    [...ledger.created.values()].slice(-40).forEach(({ id }, position) => {
      this.#owned[position % WRITERS]?.push(id);
    });
  }

  async run(writer: number): Promise<void> {
    try {
      for (;;) await this.#write(writer);
    } catch (error) {
      if (!isGone(error)) throw error;
    }
  }

  #write(writer: number): Promise<void> {
    const dice = this.#random();
    if (dice < 0.3) return this.#createTask(writer);
    if (dice < 0.5) return this.#updateTask(writer);
    if (dice < 0.7) return this.#moveTask(writer);
    if (dice < 0.8) return this.#editRole(writer);
    if (dice < 0.9) return this.#createArtifact(writer);
    return writer === 0 ? this.#editProject() : this.#writeContext(writer);
  }

  async #createTask(writer: number): Promise<void> {
    const key = `create-${++numbers}`;
    const body = { title: `Task ${numbers}`, labels: [key], description: "x".repeat(3_000 * this.#random() ** 8) };
    this.#ledger.unanswered.set(key, body);
    const { task } = ok(await postTask(this.#hall, key, body)).body;
    this.#ledger.taskCreated(key, task.id, body);
    this.#ledger.acknowledge(tasks, task.id, { title: body.title, status: "pending", notes: "" });
    this.#owned[writer]?.push(task.id);
  }

  async #updateTask(writer: number): Promise<void> {
    const id = this.#ownedBy(writer);
    if (id === undefined) return this.#createTask(writer);
    const notes = `Note ${++numbers}\n${"word ".repeat(this.#random() * 500)}`.trim();
    const next = this.#ledger.begin(tasks, id, { title: `Task ${numbers}`, notes });
    ok(await this.#hall.call("PUT", tasks.path(id), { title: next.title, notes }));
    this.#ledger.acknowledge(tasks, id, next);
  }

  async #moveTask(writer: number): Promise<void> {
    const id = this.#ownedBy(writer);
    if (id === undefined) return this.#createTask(writer);
    const status = NEXT_STATUS[String(this.#ledger.known(tasks, id).status)];
    const next = this.#ledger.begin(tasks, id, { status });
    ok(await this.#hall.call("POST", `${tasks.path(id)}/move`, { status }));
    this.#ledger.acknowledge(tasks, id, next);
  }

  async #editRole(writer: number): Promise<void> {
    const id = `role-${writer}`;
    const change = { description: `Edit ${++numbers}`, skills: numbers % 2 === 0 ? ["read"] : ["read", "write"] };
    const next = this.#ledger.begin(roles, id, change);
    ok(await this.#hall.call("PUT", roles.path(id), change));
    this.#ledger.acknowledge(roles, id, next);
  }

  async #editProject(): Promise<void> {
    const change = { description: `Edit ${++numbers}`, goals: [`Goal ${numbers}`] };
    const next = this.#ledger.begin(projects, PROJECT, change);
    ok(await this.#hall.call("PUT", projects.path(PROJECT), change));
    this.#ledger.acknowledge(projects, PROJECT, next);
  }

  async #createArtifact(writer: number): Promise<void> {
    const content = `# Artifact ${++numbers}\n${"y".repeat(this.#random() * 5_000)}\n`;
    const body = { name: `artifact-${writer}-${numbers}.md`, content };
    const { artifact } = ok(await this.#hall.call("POST", `/api/projects/${PROJECT}/artifacts`, body)).body;
    this.#ledger.acknowledge(files, artifact.path, { content });
  }

  async #writeContext(writer: number): Promise<void> {
    const path = `CONTEXT/notes-${writer}-${Math.floor(this.#random() * 5)}.md`;
    const content = `Context ${++numbers}\n`;
    const isKnown = this.#ledger.known(files, path).content !== undefined;
    if (isKnown) this.#ledger.begin(files, path, { content });
    ok(await this.#hall.call("PUT", `/api/projects/${PROJECT}/context`, { path, content }));
    this.#ledger.acknowledge(files, path, { content });
  }

  #ownedBy(writer: number): string | undefined {
    const owned = this.#owned[writer] ?? [];
    return owned[Math.floor(this.#random() * owned.length)];
  }
}

function postTask(hall: Hall, key: string, body: object): Promise<Answer<BodyOf<"createTask">>> {
  return hall.call("POST", `/api/projects/${PROJECT}/tasks`, body, { "idempotency-key": key });
}

function ok<Body>(answer: Answer<Body>): Answer<Body> {
  if (answer.status >= 300) throw new Error(`answered ${answer.status}: ${JSON.stringify(answer.body)}`);
  return answer;
}

/** fetch says TypeError when the connection broke, and SyntaxError comes from an answer that was cut in half. */
function isGone(error: unknown): boolean {
  return error instanceof TypeError || error instanceof SyntaxError;
}
