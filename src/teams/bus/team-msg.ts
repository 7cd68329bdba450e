import type { TeamMessage } from "../../contract/documents/teams/team-message.ts";
import { HallError } from "../../contract/errors.ts";
import type { Run } from "../../contract/runs/run.ts";
import { TeamMsgCall } from "../../contract/runs/team-msg.ts";
import { cutText } from "../../contract/words/cut-text.ts";
import { MESSAGE_LIMITS, MESSAGE_TYPES, TO_ALL, TO_LEAD } from "../../contract/words/teams/message-words.ts";
import { checkedInput } from "../../processes/hall-questions.ts";
import { leadOf } from "../machine/members.ts";
import type { TeamState } from "../machine/team-state.ts";
import type { RoleSpecFiles } from "../role-specs/role-spec-files.ts";
import { messageText } from "./message-text.ts";
import { ROLE_STATE, type SharedMemory } from "./shared-memory.ts";
import type { TeamBus } from "./team-bus.ts";
import type { TeamFolder } from "./team-folder.ts";

interface Parts {
  bus: Pick<TeamBus, "post" | "list" | "get">;
  memory: SharedMemory;
  folder: TeamFolder;
  stateOf: (teamId: string) => TeamState;
  roleSpecs: Pick<RoleSpecFiles, "fieldsFor">;
}

interface Caller {
  state: TeamState;
  member: string;
  run: Run;
  /** The same call is carried out once. */
  key: string;
}

/** Characters of a message in a list. */
const LISTED = 200;

/** What members ask of their team. */
export class TeamMsg {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Rejects with HallError when it is refused. */
  async ask(run: Run, { callId, input }: { callId: string; input: unknown }): Promise<string> {
    const { team, parentRunId } = run;
    if (team === undefined || parentRunId !== undefined)
      throw new HallError("talk_refused", "Only members of a team have messages.");
    const call = checkedInput(TeamMsgCall, input);
    const state = this.#parts.stateOf(team.id);
    return this.#answer(call, { state, member: team.member, run, key: `${run.id}/${callId}` });
  }

  async #answer(call: TeamMsgCall, caller: Caller): Promise<string> {
    const { bus, memory, folder } = this.#parts;
    const { state, member } = caller;
    const { id } = state.document;
    switch (call.op) {
      case "log":
        return this.#log(call, caller);
      case "broadcast":
        this.#assertTalk(caller, call.type, TO_ALL);
        return this.#send({ ...call, to: TO_ALL }, caller);
      case "read":
        return messageText(bus.get(id, call.id));
      case "list": {
        const { after, limit, member: of, type } = call;
        const found = bus.list(id, { after, limit, member: of, type });
        return found.length === 0 ? "No messages." : found.map(listed).join("\n");
      }
      case "status":
        return statusText(state);
      case "get_state": {
        const [states] = memory.read(state, [ROLE_STATE]);
        const all = (states?.value ?? {}) as Record<string, unknown>;
        return JSON.stringify(call.member === undefined ? all : { [call.member]: all[call.member] ?? null }, null, 2);
      }
      case "get_memory":
        return JSON.stringify(memory.read(state, call.keys), null, 2);
      case "set_memory": {
        const { etag } = await memory.write(state, call);
        return `Saved '${call.key}'. Its etag is ${etag}.`;
      }
      case "list_files": {
        const files = folder.list(state);
        return files.length === 0
          ? "No files."
          : files.map((one) => `${one.path} (${one.characters} bytes)`).join("\n");
      }
      case "read_file": {
        const { text, etag } = folder.read(state, call.path);
        return `etag: ${etag}\n\n${text}`;
      }
      case "add_wisdom":
        await folder.addWisdom(state, { file: call.file, text: call.text, by: member });
        return `Added to wisdom/${call.file}.md.`;
      case "save_artifact": {
        const { etag } = await folder.saveArtifact(state, call);
        return `Saved ${call.path}. Its etag is ${etag}.`;
      }
    }
  }

  async #log(call: Extract<TeamMsgCall, { op: "log" }>, caller: Caller): Promise<string> {
    const { memory } = this.#parts;
    const { state, member } = caller;
    const to = call.to ?? TO_LEAD;
    const isToLead = to === TO_LEAD || to === leadOf(state)?.name;
    if (!isToLead) this.#assertTalk(caller, call.type, to);
    const { progressText } = MESSAGE_LIMITS;
    if (call.type === MESSAGE_TYPES.progress && call.text.length > progressText)
      throw new HallError("invalid", `text: progress has at most ${progressText} characters.`);
    // Saying the same state again changes nothing: after a crash in between, the call is made again.
    if (call.state !== undefined) await memory.setState(state, member, call.state);
    return this.#send({ ...call, to }, caller);
  }

  async #send(
    {
      to,
      type,
      text,
      task = "",
      ref,
      state: said,
    }: Omit<Extract<TeamMsgCall, { op: "log" }>, "op" | "to"> & { to: string },
    { state, member, run, key }: Caller,
  ): Promise<string> {
    const about = task === "" ? state.index.byRun.get(run.id) : task;
    const message = { from: member, to, type, text, task: about, ref, state: said, key };
    const sent = await this.#parts.bus.post(state.document.id, message, { runId: run.id });
    return `Sent ${sent.id} to ${to === TO_ALL ? "all members" : sent.to}.`;
  }

  /** Members report to the lead. More than that their role-spec has to ask for. */
  #assertTalk({ state, member, run }: Caller, type: string, to: string): void {
    const key = state.index.byRun.get(run.id);
    const talk = key === undefined ? undefined : this.#parts.roleSpecs.fieldsFor(state, key)?.message_types.talk;
    const whom = to === TO_ALL ? "all members" : to;
    if (talk === undefined)
      throw new HallError("talk_refused", `${member} may write to the lead only, not to ${whom}.`);
    if (!talk.includes(type))
      throw new HallError("talk_refused", `Messages of ${member} to ${whom} must be of type ${talk.join(" or ")}.`);
  }
}

function listed({ id, from, to, type, text, task }: TeamMessage): string {
  const about = task === undefined ? type : `${type}, ${task}`;
  return `${id} ${from} → ${to} (${about}): ${cutText(text.replaceAll("\n", " "), LISTED)}`;
}

function statusText({ status, members, tasks }: TeamState): string {
  const at = [...members.values()].map(({ name, rank, task, isStopped }) => {
    const doing = task === undefined ? (isStopped ? "stopped" : "no task") : `on ${task}`;
    return `- ${name} (${rank}): ${doing}`;
  });
  const board = [...tasks.values()].map(({ plan: { key, title }, state }) => `- ${key}: ${state}. ${title}`);
  return [`The team is ${status}.`, "Members:", ...at, "Tasks:", ...board].join("\n");
}
