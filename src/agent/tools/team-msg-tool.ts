import { TeamMsgCall, TeamMsgShown } from "../../contract/runs/team-msg.ts";
import { TEAM_MSG } from "../../contract/words/tool-names.ts";
import { jsonSchemaOf, parseInput, type Tool } from "../tool.ts";

export interface TeamPort {
  /** Answers in words. Asking twice with one call id changes nothing more. */
  teamMsg(
    call: { callId: string; input: TeamMsgCall },
    signal: AbortSignal,
  ): Promise<{ output: string; failed?: boolean }>;
}

const DESCRIPTION = `Messages, shared memory and files of your team.
log: message to the lead (or to a member, where your role-spec allows talk), with type and text; type state_update also takes state. Report progress at most 4 times (200 characters), blockers at once.
broadcast: message to all members, where your role-spec allows talk.
read, list: messages. status: members and what they do. get_state: what members said of their work.
get_memory, set_memory: shared memory by key; to replace a value, send its etag.
list_files, read_file: the team's wisdom/ and artifacts/. add_wisdom: add a note for later members. save_artifact: write a deliverable.`;

/** For members of a team. */
export function teamMsgTool(team: TeamPort): Tool {
  return {
    spec: { name: TEAM_MSG, description: DESCRIPTION, inputSchema: jsonSchemaOf(TeamMsgShown) },
    changes: true,
    repeatable: true,
    run: async (text, { callId, signal }) => {
      const parsed = parseInput(TeamMsgCall, text);
      if (!parsed.ok) return { output: `The input of ${TEAM_MSG} is not valid: ${parsed.reason}`, failed: true };
      return team.teamMsg({ callId, input: parsed.value }, signal);
    },
  };
}
