import type { JournalEntry } from "../contract/runs/journal.ts";
import type { SessionEntry, SessionMessage } from "../contract/runs/session.ts";

/** Whether the model is told of the turn that a message began. */
export type IsShown = (earlier: SessionMessage) => boolean;

type Answer = Extract<SessionEntry, { type: "answer" }>;

const LINE_ENDS = /(\r\n|[\n\r\v\f\u0085\u2028\u2029])/;
const INVISIBLE = /[\p{Cf}\p{Cc}\p{White_Space}\p{Mn}]/gu;
/** Characters at the beginning of a line that tell whether it looks like ours. */
const LOOKED_AT = 200;

/**
 * A message as the model is told it: the first line says who speaks and where. A line of the text that looks like such a
 * first line is quoted, so that nobody can speak for somebody else, even where several messages are sent as one.
 */
export function formatMessage(message: Pick<SessionMessage, "from" | "channel" | "text" | "forwarded">): string {
  return `[from ${speakerOf(message)}]\n${quoted(message.text)}`;
}

export function speakerOf({
  from,
  channel,
  forwarded,
}: Pick<SessionMessage, "from" | "channel" | "forwarded">): string {
  switch (from) {
    case "person":
      if (forwarded === true) return `a stranger, forwarded by the person, ${channel.type}/${channel.id}`;
      return `the person, ${channel.type}/${channel.id}`;
    case "main":
      return "the main agent";
    case "project":
      return `project ${channel.id}`;
    case "hall":
      return "Guildhall";
  }
}

function quoted(text: string): string {
  if (!text.normalize("NFKC").includes("[")) return text;
  return text
    .split(LINE_ENDS)
    .map((line) => (looksLikeOurs(line) ? `> ${line}` : line))
    .join("");
}

function looksLikeOurs(line: string): boolean {
  const plain = line.slice(0, LOOKED_AT).normalize("NFKC").replace(INVISIBLE, "").toLowerCase();
  return plain.startsWith("[from");
}

/**
 * The lines of a session as the loop reads a journal, one for each, so that positions are the same. Of a turn that no
 * provider took, the model is told only that it was there. What is sealed for one model is not given to another, which
 * might refuse all for it.
 */
export function journalOf(
  entries: readonly SessionEntry[],
  { model, isShown }: { model?: string | undefined; isShown?: IsShown | undefined } = {},
): JournalEntry[] {
  const journal = journalOfAll(entries, model);
  if (isShown === undefined) return journal;
  const shown = shownIn(entries, isShown);
  return journal.map((entry, at) => (shown[at] ? entry : nothing("")));
}

/**
 * Which lines the model is told: those of turns whose message is shown, and of the turn under way. A quiet message is judged
 * by itself. A summary is of all turns, and so not told where some are not.
 */
export function shownIn(entries: readonly SessionEntry[], isShown: IsShown): boolean[] {
  const shown: boolean[] = [];
  let from = 0;
  const close = (to: number, isOver: boolean) => {
    const turn = entries.slice(from, to);
    const asked = turn.find((entry) => entry.type === "message" && entry.quiet !== true);
    const isTold = !isOver || asked?.type !== "message" || isShown(asked);
    for (const entry of turn) shown.push(entry.type === "message" && entry.quiet === true ? isShown(entry) : isTold);
    from = to;
  };
  if (entries[0]?.type === "summary") {
    shown.push(false);
    from = 1;
  }
  entries.forEach((entry, at) => {
    if (entry.type === "ended") close(at + 1, true);
  });
  close(entries.length, false);
  return shown;
}

function journalOfAll(entries: readonly SessionEntry[], model?: string): JournalEntry[] {
  const journal: JournalEntry[] = [];
  let turn = 0;
  for (const entry of entries) {
    journal.push(tellingOf(entry.type === "answer" && entry.model !== model ? unsealed(entry) : entry));
    if (entry.type === "summary") turn = journal.length;
    if (entry.type !== "ended") continue;
    if (entry.outcome === "refused") for (let at = turn; at < journal.length - 1; at++) journal[at] = nothing(entry.at);
    turn = journal.length;
  }
  return journal;
}

function unsealed({ thinking: _, ...answer }: Answer): Answer {
  const { calls } = answer;
  return calls === undefined ? answer : { ...answer, calls: calls.map(({ opaque: _opaque, ...call }) => call) };
}

function tellingOf(entry: SessionEntry): JournalEntry {
  switch (entry.type) {
    case "message":
      return {
        type: "message",
        from: entry.from === "person" ? "person" : "hall",
        text: formatMessage(entry),
        id: entry.id,
      };
    case "summary": {
      const { previous, aside: _, answers: _answers, ...summary } = entry;
      return { ...summary, text: `${summary.text}\n\n${whereIs(previous)}`, through: -1 };
    }
    case "ended":
      return noteOf(entry);
    default:
      return entry;
  }
}

/** Where the model finds what it is not told any more. */
function whereIs(archive: string): string {
  return `(Full text in ${archive}; use session_archive_read.)`;
}

function noteOf({ messageId, outcome, error, at }: Extract<SessionEntry, { type: "ended" }>): JournalEntry {
  const note = (text: string): JournalEntry => ({
    type: "message",
    from: "hall",
    text: `[from Guildhall]\n${text}`,
    id: `end-${messageId}`,
  });
  const because = error === undefined ? "" : ` ${quoted(error)}`;
  switch (outcome) {
    case "answered":
      return nothing(at);
    case "refused":
      return note("A message and its answer are omitted here: the provider rejected them.");
    case "stopped":
      return note(`Your answer was stopped here.${because}`);
    case "failed":
      return note(`Your answer ended here without a result.${because}`);
  }
}

/** Keeps the place of an entry that the model is not told. */
function nothing(at: string): JournalEntry {
  return { type: "resumed", at };
}
