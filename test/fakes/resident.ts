import { Resident } from "../../src/agent/resident.ts";
import type { Brief, ResidentPorts, ResidentQuestion, TurnGuard } from "../../src/agent/resident-ports.ts";
import { Session } from "../../src/agent/session.ts";
import type { TurnEnd } from "../../src/agent/session-tail.ts";
import type { Tool } from "../../src/agent/tool.ts";
import { type ModelAnswer, ModelFailure } from "../../src/contract/runs/model-call.ts";
import type { SessionEntry, SessionMessage } from "../../src/contract/runs/session.ts";
import type { Files } from "../../src/store/files/files.ts";

/** What the model does when it is asked: an answer, a failure, or something of its own. */
type Turn = Partial<ModelAnswer> | ModelFailure | ((question: ResidentQuestion) => Promise<Partial<ModelAnswer>>);

interface Setup {
  files: Files;
  /** Played in order; afterwards, every answer is "Done.". */
  model?: Turn[] | ((question: ResidentQuestion) => Turn);
  tools?: Tool[];
  brief?: Partial<Brief>;
  ports?: Partial<ResidentPorts>;
}

export interface Asked {
  texts: string[];
  messages: ResidentQuestion["messages"];
  system: string;
  aside: boolean;
  history: number;
}

/** A message of the person over the command line, with its id as its text unless said otherwise. */
export function message(id: string, more: Partial<SessionMessage> = {}): SessionMessage {
  const channel = { type: "cli", id: "default" } as const;
  return { id, from: "person", channel, text: id, at: "2026-11-15T12:00:00.000Z", ...more };
}

export function answerOf(more: Partial<ModelAnswer> = {}): ModelAnswer {
  const usage = { input: 10, output: 5, cacheRead: 0, cacheWrite: 0, reasoning: 0 };
  const finish = (more.calls ?? []).length > 0 ? ("calls" as const) : ("end" as const);
  return { model: "m", text: "", thinking: [], calls: [], finish, usage, costUsd: 0.01, ...more };
}

/** Nobody is asked about calls. */
const UNGUARDED: TurnGuard = {
  guards: () => undefined,
  permit: async () => ({ allowed: true }),
  called: async () => ({}),
};

export const clock = () => new Date("2026-11-15T12:00:00.000Z");

/** A resident over real files whose model plays the turns given. */
export function residentOver({ files, model = [], tools = [], brief, ports }: Setup) {
  const session = Session.open(files, { clock });
  const asked: Asked[] = [];
  const told: { id: string; end: TurnEnd }[] = [];
  const troubles: unknown[] = [];
  const next = typeof model === "function" ? model : () => model.shift() ?? { text: "Done." };
  const settings = { model: "offline/rehearsal", thinking: "off" } as const;
  const resident = new Resident(session, {
    who: "the project agent",
    guardOf: () => UNGUARDED,
    brief: async () => ({ system: "You live here.", settings, contextWindow: 100_000, turns: 20, tools, ...brief }),
    ask: async (question) => {
      const { system, aside = false, history } = question;
      const messages = structuredClone(question.messages);
      asked.push({ texts: messages.map(textOf), messages, system, aside, history });
      const turn = next(question);
      if (turn instanceof ModelFailure) throw turn;
      return answerOf(typeof turn === "function" ? await turn(question) : turn);
    },
    withToolSlot: (work) => work(),
    redact: (entry) => entry,
    onActivity: () => undefined,
    onAnswered: async ({ id }, end) => void told.push({ id, end }),
    onTrouble: (error) => troubles.push(error),
    clock,
    ...ports,
  });
  return { resident, session, asked, told, troubles };
}

/** All that is taken down in the current file, in order. */
export function linesOf(files: Files, file = "current.jsonl"): SessionEntry[] {
  return files
    .text(`session/${file}`)
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => {
      const { format: _, ...entry } = JSON.parse(line) as SessionEntry & { format: number };
      return entry;
    });
}

function textOf(told: ResidentQuestion["messages"][number]): string {
  return told.role === "tool" ? told.results.map(({ output }) => output).join("\n") : told.text;
}
