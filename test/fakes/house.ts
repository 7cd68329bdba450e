import { connect } from "node:net";
import { HallError } from "../../src/contract/errors.ts";
import { type AppOptions, createApp } from "../../src/server/app.ts";
import { type Arrival, headerLines, splitUrl } from "../../src/server/arrival.ts";
import type { Log } from "../../src/server/failures.ts";
import type { ImportDesk } from "../../src/server/handlers/import-handlers.ts";
import { NO_DEVICES } from "../../src/server/pages/pairing.ts";
import { type RunningServer, startServer } from "../../src/server/server.ts";
import { fakeBriefings } from "./fake-briefings.ts";
import { fakeEscalations } from "./fake-escalations.ts";
import { fakeGates } from "./fake-gates.ts";
import { fakeGrants } from "./fake-grants.ts";
import { type FakeHall, fakeHall, NOON } from "./fake-hall.ts";
import { fakeHooks } from "./fake-hooks.ts";
import { fakeLeads } from "./fake-leads.ts";
import { fakeLearning } from "./fake-learning.ts";
import { fakeLessons } from "./fake-lessons.ts";
import { fakeOrchestrator } from "./fake-orchestrator.ts";
import { type FakeRuns, fakeRuns } from "./fake-runs.ts";
import { fakeTalk } from "./fake-talk.ts";
import { fakeTeams } from "./fake-teams.ts";
import { fakeTriggers } from "./fake-triggers.ts";
import { fakeWelcome } from "./fake-welcome.ts";

export const TOKEN = "correct-horse-battery-staple";
const PORT = 4777;

export interface Asked {
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
  /** false: without the token. */
  readonly token?: boolean;
}

export interface House extends FakeHall, FakeRuns {
  readonly logged: Parameters<Log>[0][];
  readonly stops: number[];
  /** A request with token, in process. A `body` that is not text is sent as JSON. */
  ask(method: string, path: string, asked?: Asked): Promise<Response>;
}

export function house(overrides: Partial<AppOptions> = {}): House {
  const fake = furnished();
  const logged: House["logged"] = [];
  const stops: number[] = [];
  let ids = 0;
  const app = createApp({
    ...quiet(fake),
    port: PORT,
    openIn: () => [],
    requestStop: async () => {
      stops.push(1);
      return [];
    },
    requestRestart: () => stops.push(1),
    log: (entry) => logged.push(entry),
    ...overrides,
  });
  const ask = async (method: string, path: string, { body, headers, token = true }: Asked = {}) => {
    const text = body === undefined || typeof body === "string" ? body : JSON.stringify(body);
    const type = text === undefined ? undefined : { "content-type": "application/json" };
    const lines = { ...(token && { authorization: `Bearer ${TOKEN}` }), ...type, ...headers };
    const answer = await app(inProcess(`request-${++ids}`, { method, path, lines, text }), () => undefined);
    return new Response(method === "HEAD" ? null : (answer.body as string | null), answer);
  };
  return { ...fake, logged, stops, ask };
}

interface InProcess {
  method: string;
  path: string;
  lines: Record<string, string>;
  text: string | undefined;
}

function inProcess(requestId: string, { method, path, lines, text }: InProcess): Arrival {
  const authority = `127.0.0.1:${PORT}`;
  const raw = Object.entries("host" in lines ? lines : { host: authority, ...lines }).flat();
  const bytes = Buffer.from(text ?? "");
  return {
    requestId,
    method,
    ...splitUrl(new URL(`http://${authority}${path}`).href),
    headers: headerLines(raw),
    hasBody: text !== undefined,
    readBody: async (limit) => {
      if (bytes.length > limit) throw new HallError("too_large", "The body is too large.");
      return bytes;
    },
  };
}

export async function openHouse(
  overrides: Partial<Parameters<typeof startServer>[0]> = {},
): Promise<FakeHall & FakeRuns & { server: RunningServer }> {
  const fake = furnished();
  const server = await startServer({
    ...quiet(fake),
    port: 0,
    openIn: () => [],
    requestStop: async () => [],
    requestRestart: () => {},
    log: () => {},
    ...overrides,
  });
  return { ...fake, server };
}

function furnished(): FakeHall & FakeRuns {
  const fake = fakeHall();
  return { ...fake, ...fakeRuns(fake.changes) };
}

function quiet({ hall, runs, admin }: FakeHall & FakeRuns) {
  const startedAt = new Date(NOON);
  return {
    hall,
    runs,
    admin,
    talk: fakeTalk(),
    welcome: fakeWelcome(),
    escalations: fakeEscalations(),
    grants: fakeGrants(),
    learning: fakeLearning(hall),
    hooks: fakeHooks(),
    ...fakeGates(),
    teams: fakeTeams(),
    ...fakeTriggers(),
    ...fakeLeads(),
    imports: fakeImports,
    lessons: fakeLessons(),
    briefings: fakeBriefings(),
    orchestrator: fakeOrchestrator(),
    workspace: "/workspace",
    isUsualWorkspace: false,
    calledAs: "guildhall",
    token: TOKEN,
    reach: { publicUrl: "https://hall.example.org", allowedHosts: [], allowPlainHttp: false },
    devices: { ...NO_DEVICES, remove: () => true },
    version: "0.1.0",
    startedAt,
    clock: () => startedAt,
  };
}

/** Sends the very bytes given and answers with everything that came back until the other end closed. */
export function exchange(port: number, ...parts: readonly (string | Uint8Array)[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, "127.0.0.1");
    let answer = "";
    socket.setEncoding("utf8");
    socket.on("connect", () => {
      for (const part of parts) socket.write(part);
    });
    socket.on("data", (text) => {
      answer += text;
    });
    socket.on("error", (error) => (answer === "" ? reject(error) : resolve(answer)));
    socket.on("close", () => resolve(answer));
  });
}

const fakeImports: ImportDesk = {
  import: async ({ folder, dryRun }) => {
    const counts = { new: 0, imported: 0, exists: 0, left_out: 0, broken: 0 };
    return { kind: "superbot", folder, dryRun, entries: [], counts };
  },
};
