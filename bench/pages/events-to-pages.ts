import { setTimeout as pause } from "node:timers/promises";
import type { Browser, BrowserContext, Page } from "playwright-core";
import type { BusyProcess } from "../kit/busy-process.ts";
import { median, ms, percentile, times } from "../kit/figures.ts";
import { type Sight, watchStream, watchText } from "../kit/page-probes.ts";
import { atMost, type Line } from "../kit/report.ts";
import { signedIn } from "../kit/tabs.ts";
import { seededChance } from "../kit/words.ts";

const GOAL_MS = 100;
const PROJECT = "archive";
const BETWEEN = { least: 100, most: 600 };

interface Watched {
  /** Makes the change of a number, and answers what the page says once it shows it. */
  change(number: number): Promise<(text: string) => boolean>;
  subject: string;
  selector: string;
}

/** From the writing of an event until a page shows it, against the frame's arrival in a tab that only reads the stream. */
export async function eventsToPages(browser: Browser, hall: BusyProcess, quick: boolean): Promise<Line[]> {
  const context = await signedIn(browser, hall.client);
  const frames = await watchStream(context, hall.url);
  const amount = quick ? 40 : 200;
  const now = await open(context, hall.url, "[data-row]");
  const onNow = await delays({ page: now, watched: await suspending(hall), frames, amount });
  await now.close();
  const board = await open(context, `${hall.url}/projects/${PROJECT}/board`, "[data-task]");
  const onBoard = await delays({ page: board, watched: await renaming(hall, board), frames, amount });
  await context.close();
  return [...lines("Now", onNow), ...lines("a board of 10,000 tasks", onBoard)];
}

async function open(context: BrowserContext, url: string, selector: string): Promise<Page> {
  const page = await context.newPage();
  await page.goto(url);
  await page.locator(selector).first().waitFor();
  return page;
}

/** A project that is suspended is not counted at the head of the page. */
async function suspending({ client }: BusyProcess): Promise<Watched> {
  const { counts } = (await client.call("GET", "/api/now")) as { counts: { projects: number } };
  return {
    subject: PROJECT,
    selector: "main header",
    change: async (number) => {
      const isSuspended = number % 2 === 0;
      await client.call("POST", `/api/projects/${PROJECT}/move`, { status: isSuspended ? "suspended" : "active" });
      return (text) => text.includes(` ${counts.projects - (isSuspended ? 1 : 0)} projects`);
    },
  };
}

async function renaming({ client }: BusyProcess, board: Page): Promise<Watched> {
  const id = (await board.locator("[data-task]").first().getAttribute("data-task")) ?? "";
  return {
    subject: id,
    selector: `li:has([data-task="${id}"])`,
    change: async (number) => {
      const title = `Renamed for the ${number}. time`;
      await client.call("PUT", `/api/projects/${PROJECT}/tasks/${id}`, { title });
      return (text) => text.includes(title);
    },
  };
}

interface Asked {
  page: Page;
  watched: Watched;
  frames: () => Promise<Sight[]>;
  amount: number;
}

interface Delays {
  shown: number[];
  arrived: number[];
}

async function delays({ page, watched, frames, amount }: Asked): Promise<Delays> {
  const { change, subject, selector } = watched;
  const sights = await watchText(page, selector);
  const chance = seededChance(amount);
  const found: Delays = { shown: [], arrived: [] };
  for (let number = 0; number < amount; number++) {
    const before = { sights: (await sights()).length, frames: (await frames()).length };
    const isShown = await change(number);
    const frame = await first(
      async () => (await frames()).slice(before.frames),
      (text) => writtenAt(text, subject) > 0,
    );
    const shown = await first(async () => (await sights()).slice(before.sights), isShown);
    const at = writtenAt(frame.text, subject);
    found.arrived.push(frame.at - at);
    found.shown.push(shown.at - at);
    await pause(BETWEEN.least + chance() * (BETWEEN.most - BETWEEN.least));
  }
  return found;
}

async function first(seen: () => Promise<Sight[]>, isWanted: (text: string) => boolean): Promise<Sight> {
  const end = performance.now() + 10_000;
  while (performance.now() < end) {
    const sight = (await seen()).find(({ text }) => isWanted(text));
    if (sight !== undefined) return sight;
    await pause(25);
  }
  throw new Error("the page did not show an event within 10 s");
}

/** When the event about a subject in these frames was written; 0: there is none. */
function writtenAt(frames: string, subject: string): number {
  for (const block of frames.split("\n\n")) {
    const data = /^event: event$[\s\S]*^data: (.+)$/m.exec(block)?.[1];
    if (data === undefined) continue;
    const { event } = JSON.parse(data) as { event: { at: string; subject: { id: string } } };
    if (event.subject.id === subject) return Date.parse(event.at);
  }
  return 0;
}

function lines(name: string, { shown, arrived }: Delays): Line[] {
  const line = (what: string, of: (samples: number[]) => number): Line => ({
    cells: [`An event until ${name} shows it, ${what}`, ms(of(shown)), ms(of(arrived)), times(of(shown) / of(arrived))],
  });
  const middle = line("median", median);
  return [
    { ...middle, goal: atMost(GOAL_MS, median(shown), "ms") },
    line("p95", (samples) => percentile(samples, 0.95)),
  ];
}
