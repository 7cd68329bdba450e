import type { TeamMessage } from "../../../contract/documents/teams/team-message.ts";
import { HallError } from "../../../contract/errors.ts";
import { receiverWords, senderWords, TO_ALL } from "../../../contract/words/teams/message-words.ts";
import { command } from "../../command.ts";
import { textOrInput } from "../../input.ts";
import { ofProject, teamArgument, teamIdOf } from "../../teams/team-reference.ts";
import type { Paint } from "../../text/paint.ts";
import { manyLines, oneLine } from "../../text/plain-text.ts";
import { localTime } from "../../text/text-card.ts";

const options = { project: ofProject };

export const commands = {
  "team messages": command(
    {
      summary: "List the messages of a team",
      detail: "Shows the newest 20. With --json, each message is one line.",
      args: { team: teamArgument },
      options: {
        ...options,
        member: { kind: "text", value: "NAME", help: "Only messages from or to this member" },
        lines: { kind: "number", short: "n", value: "N", help: "Show the last N (default: 20)" },
      },
      examples: ["team messages", "team messages 01m7p3 --member head-lisbon -n 50"],
    },
    async ({ member, lines, ...input }, context) => {
      const { call, output } = context;
      const params = { id: await teamIdOf(input, context) };
      const { messages } = await call("listTeamMessages", { params, query: { member, limit: lines ?? 20 } });
      for (const each of messages) output.row(each, () => messageLines(each, output));
      if (messages.length === 0 && !output.json) output.row([], () => "No messages.");
      return 0;
    },
  ),

  "team message": command(
    {
      summary: "Write to all members of a team, or to one",
      detail: "A working member gets the message with its next turn, others when they start.",
      args: {
        team: { kind: "one", help: "Team id, its first or last characters, or its name" },
        text: { kind: "rest", help: "The message ('-' reads standard input)" },
      },
      options: { ...options, to: { kind: "text", value: "NAME", help: "Member, such as head-lisbon (default: all)" } },
      examples: ['team message 01m7p3 "Use pnpm"', 'team message 01m7p3 --to head-lisbon "Keep the old endpoint"'],
    },
    async ({ text: typed, to, ...input }, context) => {
      const text = await textOrInput(typed, context.host.input);
      if (text.trim() === "") throw new HallError("usage", "Missing message.", { hint: "Pass its text." });
      const params = { id: await teamIdOf(input, context) };
      const answer =
        to === undefined
          ? await context.call("sendTeamMessage", { params, body: { text } })
          : await context.call("sendMemberMessage", { params: { ...params, name: to }, body: { text } });
      context.output.answer(answer, () => `Sent ${answer.message.id} to ${oneLine(receiverWords(answer.message))}.`);
      return 0;
    },
  ),
};

function messageLines(message: TeamMessage, { paint }: { paint: Paint }): string {
  const { id, at, type, text, task, to, deliveries } = message;
  const about = [type, ...(task === undefined ? [] : [task])].join(", ");
  const waits = to !== TO_ALL && deliveries.length === 0 ? paint("yellow", "  not delivered yet") : "";
  const who = oneLine(`${senderWords(message)} → ${receiverWords(message)}`);
  const head = `${paint("dim", localTime(at))}  ${paint("bold", id)}  ${who} ${paint("dim", `(${oneLine(about)})`)}${waits}`;
  return [head, ...manyLines(text).split("\n")].join("\n  ");
}
