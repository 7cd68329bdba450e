import type { BusLine, TeamMessage } from "../../contract/documents/teams/team-message.ts";
import { HallError } from "../../contract/errors.ts";
import type { JournalEntry } from "../../contract/runs/journal.ts";
import type { Run } from "../../contract/runs/run.ts";
import { isOver } from "../../contract/runs/run-status.ts";
import { messageId, TO_ALL, TO_LEAD } from "../../contract/words/teams/message-words.ts";
import { hasEnded } from "../../contract/words/teams/team-words.ts";
import type { SaidToRun } from "../../runs/team-mail.ts";
import type { Change } from "../../workspace/change.ts";
import { BY_DAEMON, byChange, type Core, commit } from "../../workspace/core.ts";
import { leadOf } from "../machine/members.ts";
import type { TeamState } from "../machine/team-state.ts";
import { teamPaths } from "../team-files.ts";
import type { Bus, MessageQuery } from "./bus.ts";
import { BusFile } from "./bus-file.ts";
import { refusalOf } from "./bus-rules.ts";
import { givenTo, type Kept, type NewMessage, pendingFor } from "./bus-state.ts";
import { messageText, voiceOf } from "./message-text.ts";

interface Parts {
  core: Core;
  store: { get(id: string): TeamState; find(id: string): TeamState | undefined; open(): TeamState[] };
  runs: {
    /** Durable when it resolves; under one id it is said once. Rejects with HallError when the run is over. */
    say(runId: string, said: SaidToRun): Promise<void>;
    journal(runId: string): readonly JournalEntry[];
    withoutSecrets(projectId: string, text: string): string;
  };
  onTrouble: (what: string, error: unknown) => void;
}

interface Posting {
  change?: Change | undefined;
  /** The run that sends it. */
  runId?: string | undefined;
}

/**
 * The messages of teams. A message is on disk before its sender hears that it was sent; that it belongs to a run is on disk before the
 * run is told. What a run was given and did not see any more, by its journal, is given to the next run of the member.
 */
export class TeamBus implements Bus {
  readonly #parts: Parts;
  readonly #files = new Map<string, BusFile>();
  readonly #underWay = new Set<Promise<unknown>>();
  #isClosed = false;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  list(teamId: string, { after = 0, limit, member, type }: MessageQuery = {}): TeamMessage[] {
    const { messages } = this.#fileOf(this.#parts.store.get(teamId)).state;
    const found = messages.filter(
      (one) =>
        one.seq > after &&
        (type === undefined || one.type === type) &&
        (member === undefined || one.from === member || one.to === member || one.to === TO_ALL),
    );
    const page = limit === undefined ? found : after > 0 ? found.slice(0, limit) : found.slice(-limit);
    return page.map(shown);
  }

  /** Throws where there is none, or no longer. */
  get(teamId: string, id: string): TeamMessage {
    const found = this.list(teamId).find((one) => one.id === id);
    if (found === undefined) throw new HallError("message_not_found", `Team '${teamId}' has no message '${id}'.`);
    return found;
  }

  async post(teamId: string, draft: NewMessage, posting: Posting = {}): Promise<TeamMessage> {
    const { message, receivers } = await this.#alone(teamId, () => this.#post(teamId, draft, posting));
    for (const { runId, said } of receivers) this.#later(() => this.#say(runId, said), `a message to ${runId}`);
    return shown(message);
  }

  async #post(teamId: string, draft: NewMessage, { change, runId }: Posting) {
    const { core, store } = this.#parts;
    const state = store.get(teamId);
    const file = this.#fileOf(state);
    const known = draft.key === undefined ? undefined : file.state.byKey.get(draft.key);
    if (known !== undefined) return { message: known, receivers: [] };
    if (hasEnded(state.status)) throw new HallError("team_refused", `Team '${teamId}' is ${state.status}.`);
    const to = receiverOf(state, draft.to);
    const members = membersOf(state);
    const text = this.#parts.runs.withoutSecrets(state.document.projectId, draft.text);
    const message = { ...draft, to, text };
    const lead = leadOf(state)?.name;
    const refused = refusalOf(file.state, { message, members, lead, now: core.clock().getTime(), runId });
    if (refused !== undefined) throw new HallError(refused.code, refused.message);
    const seq = file.state.lastSeq + 1;
    const at = core.clock().toISOString();
    const line: BusLine = { line: "message", id: messageId(seq), seq, at, ...definedOf(message) };
    const given = this.#givenNow(state, line);
    await file.append([line, ...given]);
    await this.#tell(state, line, change);
    const kept = file.state.messages.findLast((one) => one.seq === seq) ?? { ...line, deliveries: [] };
    return { message: kept, receivers: given.map((one) => ({ runId: one.runId, said: saidOf(kept) })) };
  }

  /** To the runs of members that are at work. Others get it when they start. */
  #givenNow(state: TeamState, { seq, at, from, to }: Extract<BusLine, { line: "message" }>) {
    return this.#runsAtWork(state)
      .filter(({ member }) => member !== from && (to === TO_ALL || to === member))
      .map(({ id: runId, member }) => ({ line: "given" as const, at, member, runId, seqs: [seq] }));
  }

  #runsAtWork({ document: { id, projectId } }: TeamState): { id: string; member: string }[] {
    const runs = this.#parts.core.runs.unsettled(projectId).map(({ run }) => run);
    return runs.flatMap((run) => {
      const member = run.team?.id === id && !isOver(run) ? memberOf(run) : undefined;
      return member === undefined ? [] : [{ id: run.id, member }];
    });
  }

  /** For those who watch. The message is sent, whether or not the log takes this. */
  async #tell(state: TeamState, message: Extract<BusLine, { line: "message" }>, change: Change = { actor: BY_DAEMON }) {
    const { core, onTrouble } = this.#parts;
    const { id, projectId } = state.document;
    const { id: messageId, from, to, type, task } = message;
    const after = { id: messageId, from, to, type, ...(task === undefined ? {} : { task }) };
    const draft = {
      ...byChange(change),
      type: "team.message" as const,
      projectId,
      subject: { kind: "team" as const, id },
    };
    await commit(core, { ...draft, after }, () => undefined).catch((error) =>
      onTrouble("the event of a message", error),
    );
  }

  /**
   * What a run has to hear before it starts: what waits for its member, and what it was given before a crash. Durable when it resolves.
   * Nothing for runs that no member has.
   */
  async collect(run: Run): Promise<SaidToRun[]> {
    const member = memberOf(run);
    const teamId = run.team?.id ?? "";
    if (member === undefined || this.#parts.store.find(teamId) === undefined) return [];
    return this.#alone(teamId, async () => {
      const file = this.#fileOf(this.#parts.store.get(teamId));
      for (const [runId, open] of [...file.state.open])
        if (open.member === member && runId !== run.id) await this.#settle(file, runId);
      const seqs = pendingFor(file.state, member).map(({ seq }) => seq);
      const at = this.#parts.core.clock().toISOString();
      if (seqs.length > 0) await file.append([{ line: "given", at, member, runId: run.id, seqs }]);
      return givenTo(file.state, run.id).map(saidOf);
    });
  }

  /** Of a run that is over: what it did not see is for the member's next run. Does not wait, and does not fail. */
  ended(teamId: string, runId: string): void {
    this.#later(async () => {
      const { store } = this.#parts;
      const state = store.find(teamId);
      if (state === undefined) return;
      const again = await this.#alone(teamId, async () => {
        const file = this.#fileOf(state);
        const member = file.state.open.get(runId)?.member;
        if (member === undefined) return [];
        await this.#settle(file, runId);
        return this.#giveAgain(state, file, member);
      });
      for (const { to, said } of again) await this.#say(to, said);
    }, `messages of ${runId}`);
  }

  async #giveAgain(state: TeamState, file: BusFile, member: string) {
    const run = this.#runsAtWork(state).find((one) => one.member === member);
    const pending = pendingFor(file.state, member);
    if (run === undefined || pending.length === 0) return [];
    const at = this.#parts.core.clock().toISOString();
    await file.append([{ line: "given", at, member, runId: run.id, seqs: pending.map(({ seq }) => seq) }]);
    return pending.map((message) => ({ to: run.id, said: saidOf(message) }));
  }

  /** Nothing, while the run is not over. Only with the bus of its team alone. */
  async #settle(file: BusFile, runId: string): Promise<void> {
    const { core, runs } = this.#parts;
    const known = core.runs.get(runId)?.run;
    if (known !== undefined && !isOver(known)) return;
    const seen = known === undefined ? new Set<string>() : seenIn(runs.journal(runId));
    const unseen = givenTo(file.state, runId).filter(({ id }) => !seen.has(id));
    const at = core.clock().toISOString();
    await file.append([{ line: "settled", at, runId, unseen: unseen.map(({ seq }) => seq) }]);
  }

  /** Takes up what a crash left. Runs that continue collect what is theirs when they start. */
  start(): void {
    for (const state of this.#parts.store.open())
      this.#later(async () => {
        for (const runId of this.#fileOf(state).state.open.keys()) this.ended(state.document.id, runId);
      }, `messages of ${state.document.id}`);
  }

  forget(teamId: string): void {
    this.#files.delete(teamId);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all(this.#underWay);
  }

  /** A run that ends meanwhile is settled, and the message is for the next. */
  async #say(runId: string, said: SaidToRun): Promise<void> {
    await this.#parts.runs.say(runId, said).catch((error) => {
      if (!(error instanceof HallError)) throw error;
    });
  }

  #fileOf({ document }: TeamState): BusFile {
    const known = this.#files.get(document.id) ?? new BusFile(this.#parts.core.files, teamPaths(document).messages);
    this.#files.set(document.id, known);
    return known;
  }

  #alone<Result>(teamId: string, work: () => Promise<Result>): Promise<Result> {
    return this.#parts.core.locks.run(`team bus ${teamId}`, work);
  }

  #later(work: () => Promise<void>, what: string): void {
    if (this.#isClosed) return;
    const done = work().catch((error) => {
      if (!this.#isClosed) this.#parts.onTrouble(`${what} could not be delivered yet`, error);
    });
    this.#underWay.add(done);
    void done.then(() => this.#underWay.delete(done));
  }
}

/** The member whose own run it is; what a member starts for itself reads no messages, and neither do reviews. */
function memberOf({ team, parentRunId, purpose }: Run): string | undefined {
  return parentRunId === undefined && purpose !== "review" ? team?.member : undefined;
}

function membersOf({ members }: TeamState): string[] {
  return [...members.values()].filter(({ isStopped }) => !isStopped).map(({ name }) => name);
}

function receiverOf(state: TeamState, to: string): string {
  if (to === TO_ALL) return to;
  const { id } = state.document;
  const name = to === TO_LEAD ? leadOf(state)?.name : to;
  const member = name === undefined ? undefined : state.members.get(name);
  if (member === undefined)
    throw new HallError(
      "team_refused",
      `Team '${id}' has no member '${to}'. Its members: ${membersOf(state).join(", ")}.`,
    );
  if (member.isStopped) throw new HallError("team_refused", `Member '${to}' was stopped.`);
  return member.name;
}

function saidOf(message: Kept): SaidToRun {
  const from = voiceOf(message);
  return { id: message.id, text: messageText(message), ...(from === undefined ? {} : { from }) };
}

/** Messages after which the model answered: only those it has seen. */
function seenIn(entries: readonly JournalEntry[]): Set<string> {
  const last = entries.findLastIndex(({ type }) => type === "answer");
  return new Set(entries.slice(0, last + 1).flatMap((entry) => (entry.type === "message" ? [entry.id] : [])));
}

function shown({ key: _, deliveries, ...message }: Kept): TeamMessage {
  return { ...message, deliveries: [...deliveries] };
}

function definedOf(message: NewMessage): NewMessage {
  return Object.fromEntries(
    Object.entries(message).filter(([, value]) => value !== undefined),
  ) as unknown as NewMessage;
}
