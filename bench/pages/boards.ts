import { setTimeout as pause } from "node:timers/promises";
import type { Browser } from "playwright-core";
import type { BusyProcess } from "../kit/busy-process.ts";
import type { Client } from "../kit/client.ts";
import { count, median, ms, times } from "../kit/figures.ts";
import { noteCards, type Smoothness, smoothness, timeUntilNoted } from "../kit/page-probes.ts";
import type { Line } from "../kit/report.ts";
import { heapOf, signedIn } from "../kit/tabs.ts";

const PROJECT = "archive";
const MOVES_A_SECOND = 20;

interface Asked {
  browser: Browser;
  /** The first is what the others are compared with. */
  halls: { hall: BusyProcess; tasks: number }[];
  quick: boolean;
}

interface Figures {
  tasks: number;
  firstCards: number;
  still: Smoothness;
  scrolled: Smoothness;
  moved: Smoothness;
  heap: number;
}

/** Large boards against a small one: until there are cards, while scrolling, and while others move cards. */
export async function boards({ browser, halls, quick }: Asked): Promise<Line[]> {
  const all: Figures[] = [];
  for (const { hall, tasks } of halls) all.push({ tasks, ...(await measured(browser, hall, quick)) });
  const [floor] = all;
  return all.flatMap((figures) => linesOf(figures, floor ?? figures));
}

async function measured(browser: Browser, hall: BusyProcess, quick: boolean): Promise<Omit<Figures, "tasks">> {
  const context = await signedIn(browser, hall.client);
  const page = await context.newPage();
  await page.addInitScript(noteCards);
  const length = quick ? 3_000 : 5_000;
  const samples: number[] = [];
  for (let round = 0; round < (quick ? 3 : 7); round++) {
    await page.goto("about:blank");
    samples.push(await timeUntilNoted(page, `${hall.url}/projects/${PROJECT}/board`));
  }
  const still = await smoothness(page, { ms: length, scroll: false });
  const scrolled = await smoothness(page, { ms: length, scroll: true });
  const [moved] = await Promise.all([
    smoothness(page, { ms: length, scroll: false }),
    moveCards(hall.client, (length / 1_000) * MOVES_A_SECOND),
  ]);
  const heap = await heapOf(page);
  await context.close();
  return { firstCards: median(samples), still, scrolled, moved, heap };
}

/** To and fro, spread over the time in which they are looked at. */
async function moveCards(client: Client, amount: number): Promise<void> {
  const path = `/api/projects/${PROJECT}/tasks`;
  const { tasks } = (await client.call("GET", `${path}?status=pending&limit=20`)) as { tasks: { id: string }[] };
  const status = new Map(tasks.map(({ id }) => [id, "pending"]));
  const began = performance.now();
  const sent: Promise<unknown>[] = [];
  for (let number = 0; number < amount; number++) {
    const id = tasks[number % tasks.length]?.id ?? "";
    const to = status.get(id) === "pending" ? "assigned" : "pending";
    status.set(id, to);
    sent.push(client.call("POST", `${path}/${id}/move`, { status: to }));
    await pause(Math.max(0, began + (number * 1_000) / MOVES_A_SECOND - performance.now()));
  }
  await Promise.all(sent);
}

function linesOf(figures: Figures, floor: Figures): Line[] {
  const name = `Board of ${count(figures.tasks)} tasks`;
  const line = (what: string, [value, bare]: [number, number], said: (value: number) => string): Line => ({
    cells: [`${name}, ${what}`, said(value), said(bare), times(value / bare)],
  });
  const smooth = (what: string, { dropped, longest, longTasks, blocked }: Smoothness, bare: Smoothness): Line => ({
    cells: [
      `${name}, ${what}: dropped frames, longest, long tasks`,
      `${dropped}, ${ms(longest)}, ${longTasks} (${ms(blocked)})`,
      `${bare.dropped}, ${ms(bare.longest)}, ${bare.longTasks} (${ms(bare.blocked)})`,
      "",
    ],
  });
  return [
    line("until there are cards", [figures.firstCards, floor.firstCards], ms),
    smooth("at rest", figures.still, floor.still),
    smooth("scrolled", figures.scrolled, floor.scrolled),
    smooth(`${MOVES_A_SECOND} moves a second`, figures.moved, floor.moved),
    line("held by its scripts", [figures.heap, floor.heap], (value) => `${value.toFixed(1)} MB`),
  ];
}
