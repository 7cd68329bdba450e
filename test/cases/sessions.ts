/** A session file as a crash, an editor or another program may leave it. */
export interface SessionDamage {
  name: string;
  content: Buffer;
  /** How many lines of it are JSON objects: all of them stay. */
  objects: number;
  /** How many of those are lines of a session. */
  entries: number;
}

const at = "2026-11-15T12:00:00.000Z";
const channel = { type: "cli", id: "default" };
const said = (id: string, text = `Word ${id}.`) => ({ type: "message", id, from: "person", channel, text, at });
const usage = { input: 10, output: 5, cacheRead: 0, cacheWrite: 0, reasoning: 0 };
const charge = { model: "m", usage, costUsd: 0, at };
const answer = (text: string, calls?: object[]) => ({ type: "answer", text, calls, finish: "end", ...charge });
const result = (id: string) => ({ type: "result", id, name: "look", output: `of ${id}` });
const ended = (messageId: string) => ({ type: "ended", messageId, outcome: "answered", at });
const summary = (previous: string) => ({ type: "summary", text: `All up to ${previous}.`, previous, ...charge });
const look = (id: string) => ({ id, name: "look", input: "{}" });

const lines = (...values: object[]) => values.map((value) => `${JSON.stringify(value)}\n`).join("");
const TURN = lines(said("a"), answer("Yes."), ended("a"));

function damage(name: string, content: string | Buffer, good: { objects: number; entries?: number }): SessionDamage {
  return { name, content: Buffer.from(content), entries: good.objects, ...good };
}

export const sessionDamages: SessionDamage[] = [
  damage("nothing at all", "", { objects: 0 }),
  damage("blank lines only", "\n\n\n\n", { objects: 0 }),
  damage("a last line that ends in a name", `${TURN}{"type":"mess`, { objects: 3 }),
  damage(
    "a last line that ends within a letter",
    Buffer.concat([Buffer.from(`${TURN}{"type":"message","text":"`), Buffer.from([0xe2, 0x82])]),
    { objects: 3 },
  ),
  damage("a last line that lacks only its newline", `${TURN}${JSON.stringify(said("b"))}`, { objects: 4 }),
  damage("zeros where the disk never wrote", `${TURN}${"\0".repeat(2_000)}`, { objects: 3 }),
  damage("zeros with a line behind them", `${TURN}${"\0".repeat(700)}\n${lines(said("b"))}`, { objects: 4 }),
  damage("blanks at the end", `${TURN}  \t `, { objects: 3 }),
  damage(
    "a line of nonsense between good ones",
    `${lines(said("a"))}?? not json ??\n${lines(answer("Yes."), ended("a"))}`,
    { objects: 3 },
  ),
  damage(
    "two writers in one line",
    `${lines(said("a"))}{"type":"ans${lines(answer("Yes."))}wer"}\n${lines(ended("a"))}`,
    { objects: 2 },
  ),
  damage(
    "line separators of other alphabets within a text",
    lines(said("a", "x\u0085y\u2028z\v\f"), answer("Yes."), ended("a")),
    { objects: 3 },
  ),
  damage("a mark of the byte order in front", `\ufeff${TURN}`, { objects: 2 }),
  damage("line ends of another system", TURN.replaceAll("\n", "\r\n"), { objects: 3 }),
  damage("values that are no objects", `7\n"x"\nnull\n[{"type":"message"}]\n${TURN}`, { objects: 3 }),
  damage("an object over several lines", `{\n  "type": "resumed"\n}\n${TURN}`, { objects: 3 }),
  damage("the page of a web server", "<!doctype html>\n<title>502</title>\n", { objects: 0 }),
  damage("lines of another program", `${lines({ role: "user", content: "hi" }, { v: 9, type: "dream" })}${TURN}`, {
    objects: 5,
    entries: 3,
  }),
  damage(
    "lines of ours with a field of the wrong kind",
    `${lines({ ...said("x"), from: "nobody" }, { type: "answer" })}${TURN}`,
    { objects: 5, entries: 3 },
  ),
  damage("a call without its result", lines(said("a"), answer("", [look("1")])), { objects: 2 }),
  damage("a result without its call", lines(said("a"), result("1"), answer("Yes."), ended("a")), { objects: 4 }),
  damage(
    "a result told twice",
    lines(said("a"), answer("", [look("1")]), result("1"), result("1"), answer("Yes."), ended("a")),
    { objects: 6 },
  ),
  damage("an end told twice, and one of nobody", `${TURN}${lines(ended("a"), ended("zzz"))}`, { objects: 5 }),
  damage("a message taken down twice", `${lines(said("a"))}${TURN}`, { objects: 4 }),
  damage("two summaries", `${lines(summary("1.jsonl"))}${TURN}${lines(summary("2.jsonl"), said("b"))}`, {
    objects: 6,
    entries: 2,
  }),
  damage(
    "one line of twenty megabytes",
    `${TURN}${lines(said("b", "x".repeat(20_000_000)))}${lines(answer("Long."), ended("b"))}`,
    { objects: 6 },
  ),
];
