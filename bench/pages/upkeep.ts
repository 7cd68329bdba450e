import { setTimeout as pause } from "node:timers/promises";
import type { Browser, BrowserContext } from "playwright-core";
import { BenchHall } from "../kit/bench-hall.ts";
import { ticksOf } from "../kit/process-figures.ts";
import type { Line } from "../kit/report.ts";
import { signedIn } from "../kit/tabs.ts";
import type { Workspaces } from "../kit/workspaces.ts";

const TABS = 8;
const CROWD = { runs: 50, think: 500 };
const GOAL_REQUESTS = 5;

interface Asked {
  browser: Browser;
  workspaces: Workspaces;
  quick: boolean;
}

interface Upkeep {
  requests: number;
  /** Of one core. */
  share: number;
}

/** What open pages cost the daemon: while nothing happens, and while fifty agents are at work. */
export async function upkeep({ browser, workspaces, quick }: Asked): Promise<Line[]> {
  const hall = await BenchHall.open(workspaces);
  try {
    const project = await hall.project();
    const length = quick ? 6_000 : 20_000;
    const context = await signedIn(browser, hall.client);
    const measure = () => costOf(hall, { context, ms: length });
    await open(context, hall.url, 1);
    const one = await measure();
    await open(context, hall.url, TABS - 1);
    const many = await measure();
    for (const page of context.pages()) await page.close();
    const alone = await measure();
    await open(context, hall.url, 1);
    const crowd = startCrowd(hall, project, length);
    const busy = await measure();
    for (const page of context.pages()) await page.close();
    const unseen = await measure();
    await context.close();
    await crowd.end();
    return [
      line("Idle, one page open", one, alone),
      line(`Idle, ${TABS} pages open`, many, alone),
      line(`${CROWD.runs} agents at work, Now open`, busy, unseen, GOAL_REQUESTS),
    ];
  } finally {
    await hall.close();
  }
}

async function open(context: BrowserContext, url: string, amount: number): Promise<void> {
  for (let number = 0; number < amount; number++) {
    const page = await context.newPage();
    await page.goto(url);
    await page.getByRole("main").waitFor();
  }
  // Panels that are loaded ahead are there.
  await pause(3_000);
}

/** Agents that take a step twice a second for longer than is measured. */
function startCrowd(hall: BenchHall, project: string, length: number): { end(): Promise<void> } {
  const turns = Math.ceil((2 * length) / CROWD.think) * 3;
  const runs = Array.from({ length: CROWD.runs }, () =>
    hall.spawn(project, hall.prompt(`turns=${turns} think=${CROWD.think}`).text, "reader"),
  );
  const over = Promise.allSettled(runs);
  return {
    end: async () => {
      await hall.end("SIGKILL");
      await over;
    },
  };
}

async function costOf(hall: BenchHall, { context, ms }: { context: BrowserContext; ms: number }): Promise<Upkeep> {
  await pause(1_000);
  let requests = 0;
  const heard = () => {
    requests++;
  };
  context.on("request", heard);
  const began = { at: performance.now(), ticks: ticksOf(hall.pid) };
  await pause(ms);
  const seconds = (performance.now() - began.at) / 1_000;
  context.off("request", heard);
  return { requests: requests / seconds, share: (ticksOf(hall.pid) - began.ticks) / 100 / seconds };
}

function line(name: string, { requests, share }: Upkeep, floor: Upkeep, limit?: number): Line {
  const said = (value: Upkeep) => `${value.requests.toFixed(1)}/s, ${(value.share * 100).toFixed(1)} % of a core`;
  const goal = limit === undefined ? undefined : { text: `≤ ${limit} requests a second`, isMet: requests <= limit };
  const more = `${((share - floor.share) * 100).toFixed(1)} % more`;
  return { cells: [name, said({ requests, share }), said(floor), more], goal };
}
