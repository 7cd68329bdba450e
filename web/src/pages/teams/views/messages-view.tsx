import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { type KeyboardEvent, useState } from "react";
import type { Team } from "../../../../../src/contract/documents/teams/team.ts";
import type { TeamMessage } from "../../../../../src/contract/documents/teams/team-message.ts";
import {
  FROM_PERSON,
  MESSAGE_LIMITS,
  receiverWords,
  senderWords,
  TO_ALL,
} from "../../../../../src/contract/words/teams/message-words.ts";
import { hasEnded } from "../../../../../src/contract/words/teams/team-words.ts";
import { queries } from "../../../api/queries.ts";
import { shownInline, useAct } from "../../../api/use-act.ts";
import { Button } from "../../../ui/button.tsx";
import { SelectField, TextArea } from "../../../ui/field.tsx";
import { Ago } from "../../../ui/figures.tsx";
import { Empty, Loaded, Trouble } from "../../../ui/states.tsx";
import { PlainText } from "../../../ui/text/plain-text.tsx";
import { visibleLine } from "../../../ui/text/visible-text.ts";
import { Windowed } from "../../run/windowed.tsx";

/** What was said in the team, the newest first, and a place to write to its members. */
export default function MessagesView({ team }: { team: Team }) {
  const found = useQuery(queries.teamMessages(team.id));
  return (
    <div className="flex flex-col gap-4">
      {!hasEnded(team.status) && <Writing team={team} />}
      <Loaded query={found}>
        {({ messages }) =>
          messages.length === 0 ? (
            <Empty title="No messages yet." />
          ) : (
            <Windowed rows={messages.toReversed()} keyOf={({ id }) => id} estimate={72} label="Messages" above={56}>
              {(message) => <Message message={message} />}
            </Windowed>
          )
        }
      </Loaded>
    </div>
  );
}

function Writing({ team: { id, members } }: { team: Team }) {
  const [to, setTo] = useState(TO_ALL);
  const [text, setText] = useState("");
  const done = {
    done: "Sent. Members read it with their next turn.",
    onDone: () => setText(""),
    onFailure: shownInline,
  };
  const sending = useAct("sendTeamMessage", done);
  const isEmpty = text.trim() === "";
  const send = () => {
    if (!isEmpty && !sending.isPending)
      sending.mutate({ params: { id }, body: { text, ...(to === TO_ALL ? {} : { to }) } });
  };
  return (
    <section aria-label="Write a message" className="flex flex-col gap-2 rounded-md border border-line p-3">
      <SelectField label="To" value={to} onChange={({ target }) => setTo(target.value)}>
        <option value={TO_ALL}>All members</option>
        {members
          .filter(({ status }) => status !== "stopped")
          .map(({ name, task }) => (
            <option key={name} value={name}>
              {task === undefined ? name : `${name} (${task})`}
            </option>
          ))}
      </SelectField>
      <TextArea
        label="Message"
        rows={3}
        maxLength={MESSAGE_LIMITS.text}
        value={text}
        onChange={({ target }) => setText(target.value)}
        onKeyDown={(event: KeyboardEvent) => {
          if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) send();
        }}
      />
      {sending.error !== null && <Trouble error={sending.error} />}
      <div>
        <Button kind="primary" disabled={isEmpty} busy={sending.isPending} onClick={send}>
          Send message
        </Button>
      </div>
    </section>
  );
}

function Message({ message }: { message: TeamMessage }) {
  const { id, at, from, type, text, task } = message;
  return (
    <article aria-label={id} className="flex flex-col gap-1 border-b border-line py-2 text-sm">
      <p className="flex flex-wrap items-baseline gap-x-2 gap-y-0.5">
        <span className="font-medium">
          {visibleLine(senderWords(message))} → {visibleLine(receiverWords(message))}
        </span>
        <span className="text-xs text-faint">
          {[type, ...(task === undefined ? [] : [task])].map((word) => visibleLine(word)).join(", ")} · {id} ·{" "}
          <Ago at={at} />
        </span>
        <Delivered message={message} />
      </p>
      <div className={`rounded-md px-3 py-2 wrap-anywhere ${from === FROM_PERSON ? "bg-accent-soft" : "bg-sunk"}`}>
        <PlainText text={text} />
      </div>
    </article>
  );
}

function Delivered({ message: { to, deliveries } }: { message: TeamMessage }) {
  if (deliveries.length === 0) return <span className="text-xs text-warn">Not delivered yet</span>;
  return (
    <span className="flex flex-wrap gap-x-2 text-xs text-faint">
      {deliveries.map(({ member, runId }) => (
        <Link key={runId} to="/runs/$runId" params={{ runId }} className="hover:underline">
          {to === TO_ALL ? `Delivered to ${visibleLine(member)}` : "Delivered"}
        </Link>
      ))}
    </span>
  );
}
