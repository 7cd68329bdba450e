import { describe, expect, it } from "vitest";
import { type ApiAnswer, ok, refused } from "../../../test/fakes/api.ts";
import { hallEvent } from "../../../test/fakes/api-documents.ts";
import { runCli } from "../../../test/fakes/cli.ts";
import type { HallEvent } from "../../contract/event.ts";
import { textWidth } from "../text/text-width.ts";

/** An event stream with these events that then ends, as a stopping daemon ends it. */
function stream(...events: HallEvent[]): ApiAnswer {
  return (response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.write(": keep-alive\n\n");
    for (const event of events)
      response.write(`id: ${event.seq}\nevent: event\ndata: ${JSON.stringify({ event })}\n\n`);
    response.end("data: not JSON\n\n: still here\n\n");
  };
}

function seqs(out: string): number[] {
  return out.split("\n").flatMap((line) => (line === "" ? [] : [(JSON.parse(line) as HallEvent).seq]));
}

describe("events tail", () => {
  it("shows the newest events, one to a line", async () => {
    const { out, requests } = await runCli(["events", "tail", "-n", "2", "-p", "shop"], () =>
      ok({ events: [hallEvent(1)] }),
    );
    expect(requests[0]).toMatchObject({ path: "/api/events/log", query: { tail: "2", project: "shop" } });
    expect(out).toMatch(
      /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d {2}task\.moved {2}shop\/TASK-001 {2}person via cli {2}status pending → done\n$/,
    );
  });

  it("fits an event into the terminal", async () => {
    const event = hallEvent(1, { after: { description: "x".repeat(500) } });
    const { out } = await runCli(["events", "tail", "--no-color"], () => ok({ events: [event] }), { terminal: 90 });
    expect(out.trimEnd().length).toBe(90);
  });

  it("keeps every event to one line, however narrow the terminal", async () => {
    const events = [
      hallEvent(1),
      hallEvent(2, { type: "file.invalid", subject: { kind: "file", id: "projects/shop/TASKS/todo/TASK-009.md" } }),
      hallEvent(3, { subject: { kind: "task", id: "日本".repeat(40) } }),
    ];
    const lines = async (terminal: number) =>
      (await runCli(["events", "tail", "--no-color"], () => ok({ events }), { terminal })).out.trimEnd().split("\n");
    for (const width of [20, 40, 60, 80, 120]) {
      expect((await lines(width)).map((line) => textWidth(line) <= width)).toEqual([true, true, true]);
    }
    expect((await lines(60))[1]).toMatch(/file\.invalid {2}….*TASKS\/todo\/TASK-009\.md$/);
  });

  it("refuses a number of lines that the log does not take", async () => {
    for (const lines of ["-3", "1001", "2.5"]) {
      const { code, err, requests } = await runCli(["events", "tail", "-n", lines]);
      expect({ code, requests }).toEqual({ code: 2, requests: [] });
      expect(err).toContain("--lines must be a whole number from 0 to 1000. [usage]");
    }
  });

  it("prints one JSON object to a line with --json, and nothing when there is none", async () => {
    const some = await runCli(["events", "tail", "--json"], () => ok({ events: [hallEvent(1), hallEvent(2)] }), {
      terminal: 80,
    });
    const none = await runCli(["events", "tail", "--json"], () => ok({ events: [] }));
    expect(seqs(some.out)).toEqual([1, 2]);
    expect(none.out).toBe("");
  });

  it("shows only the beginning of digests", async () => {
    const ended = { ...hallEvent(1), after: { journal: { sha256: "ab12".repeat(16), marks: "cd34".repeat(100) } } };
    const { out } = await runCli(["events", "tail"], () => ok({ events: [ended] }));
    expect(out).toContain('journal {"sha256":"ab12ab12…","marks":"cd34cd34…"}');
  });

  it("says when there are none", async () => {
    expect((await runCli(["events", "tail"], () => ok({ events: [] }))).out).toBe("No events yet.\n");
  });
});

describe("events tail --follow", () => {
  // Only a refusal ends a follow that no person interrupts.
  const end = refused("unauthorized", 401);

  it("goes on where it was after a lost connection, without a gap or a double", async () => {
    const answers = [ok({ events: [hallEvent(1)] }), stream(hallEvent(2)), stream(hallEvent(2), hallEvent(3)), end];
    const { code, out, err, requests, host } = await runCli(
      ["events", "tail", "-f", "--json"],
      (_, count) => answers[count - 1],
    );
    expect(code).toBe(5);
    expect(seqs(out)).toEqual([1, 2, 3]);
    expect(requests.slice(1).map(({ path, query }) => [path, query.topics, query.after])).toEqual([
      ["/api/live", "events", "1"],
      ["/api/live", "events", "2"],
      ["/api/live", "events", "3"],
    ]);
    expect(host.pauses).toEqual([250, 250]);
    expect(err).toContain("Reconnecting…");
  });

  it("waits longer and longer for a daemon that does not come back", async () => {
    const away = (): ApiAnswer => (response) => void response.destroy();
    const answers = [ok({ events: [] }), ...Array.from({ length: 8 }, away), end];
    const { host } = await runCli(["events", "tail", "-f"], (_, count) => answers[count - 1]);
    expect(host.pauses).toEqual([250, 500, 1_000, 2_000, 4_000, 8_000, 10_000, 10_000]);
  });

  it("begins with what comes next when no lines are asked for", async () => {
    const answers = [ok({ events: [hallEvent(41)] }), stream(hallEvent(42)), end];
    const words = ["events", "tail", "-f", "-n", "0", "--json", "-p", "shop"];
    const { out, requests } = await runCli(words, (_, count) => answers[count - 1]);
    expect(seqs(out)).toEqual([42]);
    expect(requests[0]?.query).toEqual({ tail: "1" });
    expect(requests[1]?.query).toEqual({ topics: "events", after: "41", project: "shop" });
  });
});
