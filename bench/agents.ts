import { spawn } from "node:child_process";
import { join } from "node:path";
import { bareLoop } from "./kit/bare-loop.ts";
import type { Bench } from "./kit/bench.ts";
import { BenchHall, type BenchRole, wallClock } from "./kit/bench-hall.ts";
import { median, ms, timed, times } from "./kit/figures.ts";
import { atMost, type Line, type Table } from "./kit/report.ts";
import { SmallHall } from "./kit/small-hall-run.ts";
import { workCounts } from "./kit/work-counts.ts";
import type { Workspaces } from "./kit/workspaces.ts";

const TURNS = 50;
/** Runs that come before those that count, of the bare loop and of Guildhall alike: by then code that runs often is compiled. */
const WARM_UP = 12;
/** The same for runs of one turn. */
const SPAWN_WARM_UP = 100;
const CROWD = { runs: 100, turns: 10 };
const RESUMED = 500;

/** Agents against an agent of thirty lines that makes the same requests of the same model, which answers at once. */
export async function agents({ workspaces, quick }: Bench): Promise<Table> {
  const rounds = quick ? 3 : 7;
  const crowded = await inHall(workspaces, (hall) => crowd(hall, quick ? 1 : 3));
  const writing = await inHall(workspaces, (hall) => writingCrowds(hall));
  const counts = await workCounts(workspaces);
  return inHall(workspaces, async (hall) => {
    const lines = [
      ...(await turns(hall, { role: "coder", rounds })),
      ...(await turns(hall, { role: "claude-reader", rounds })),
      ...(await promisesAlone(hall, rounds * 3)),
      ...crowded,
      ...writing,
      ...(await oneSpawn(hall, rounds * 3)),
      ...counts,
      ...(await coldStarts(hall, rounds)),
      await growth(hall, { role: "coder", length: quick ? 500 : 2_000 }),
      await growth(hall, { role: "claude-reader", length: quick ? 500 : 2_000 }),
      ...(await resumption(hall, quick ? 3 : 5)),
    ];
    return {
      title: "Agents, against a bare fetch loop that makes the same requests of a model without thinking time",
      columns: ["", "bare", "guildhall", "ratio"],
      lines,
    };
  });
}

async function inHall<Result>(workspaces: Workspaces, measure: (hall: BenchHall) => Promise<Result>): Promise<Result> {
  const hall = await BenchHall.open(workspaces);
  try {
    return await measure(hall);
  } finally {
    await hall.close();
  }
}

/** Without a limit it is told for comparison only. */
function ratio(name: string, [bare, own]: [number, number], limit?: number): Line {
  const goal = limit === undefined ? undefined : atMost(limit, own / bare, "× bare");
  return { cells: [name, ms(bare), ms(own), times(own / bare)], goal };
}

/** The wire that a role's model is asked over. */
function wireOf(role: BenchRole): string {
  return role === "claude-reader" ? "Anthropic's wire" : "OpenAI's wire";
}

async function turns(hall: BenchHall, { role, rounds }: { role: BenchRole; rounds: number }): Promise<Line[]> {
  const project = await hall.project();
  const bare: number[] = [];
  const own: number[] = [];
  const between: number[] = [];
  const spent = { bare: 0, daemon: 0, projects: 0 };
  for (let round = -WARM_UP; round < rounds; round++) {
    const bareBefore = process.cpuUsage();
    const floor = await timed(() => bareLoop(hall.modelUrl, hall.prompt(`turns=${TURNS}`).text, hall.file));
    const { user, system } = process.cpuUsage(bareBefore);
    const { tag, text } = hall.prompt(`turns=${TURNS}`);
    const before = hall.processorTime();
    const whole = await timed(() => hall.spawn(project, text, role));
    const after = hall.processorTime();
    // A daemon works for weeks, and the bare loop has run thousands of turns by now: neither is measured cold.
    if (round < 0) continue;
    bare.push(floor / TURNS);
    own.push(whole / TURNS);
    between.push(span(await hall.seen(tag)) / (TURNS - 1));
    spent.bare += (user + system) / 1_000;
    spent.daemon += after.daemon - before.daemon;
    spent.projects += after.projects - before.projects;
  }
  const each = (total: number) => total / rounds / TURNS;
  const processor = `${ms(each(spent.daemon))} + ${ms(each(spent.projects))}`;
  const total = each(spent.daemon + spent.projects);
  const name = `a turn, from one model request to the next, over ${wireOf(role)}`;
  return [
    ratio(name, [median(bare), median(between)], 2.5),
    ratio(`  ${TURNS} in a run, spawn and settling included`, [median(bare), median(own)]),
    {
      cells: [
        "  its processor time: daemon and project",
        ms(each(spent.bare)),
        processor,
        times(total / each(spent.bare)),
      ],
    },
  ];
}

/** How much of it Guildhall's promises need, without its checks, limits, index and pages. */
async function promisesAlone(hall: BenchHall, rounds: number): Promise<Line[]> {
  const small = await SmallHall.open(hall);
  const of = async (length: number): Promise<[number, number]> => {
    const [bare, own] = [[] as number[], [] as number[]];
    for (let round = 0; round <= rounds; round++) {
      const words = `turns=${length}`;
      const floor = await timed(() => bareLoop(hall.modelUrl, hall.prompt(words).text, hall.file));
      const whole = await timed(() => small.spawn(hall.prompt(words).text));
      if (round === 0) continue;
      bare.push(floor / length);
      own.push(whole / length);
    }
    return [median(bare), median(own)];
  };
  try {
    return [
      ratio("  a turn with the same promises in 130 lines: own process, calls recorded first", await of(TURNS)),
      ratio("  a spawn with them: task, journal, artifact and memory survive a power cut", await of(1)),
    ];
  } finally {
    small.close();
  }
}

/** Agents that only read: those who write in one folder take turns, or have a worktree each. */
async function crowd(hall: BenchHall, rounds: number): Promise<Line[]> {
  const project = await hall.project();
  const taken = await crowds(hall, { project, role: "reader", rounds });
  const { daemon, projects } = await hall.peakMemory(() => crowds(hall, { project, role: "reader", rounds: 1 }));
  const memory = `${Math.round(daemon)} + ${Math.round(projects)} MB`;
  return [
    ratio(`${CROWD.runs} runs at once of ${CROWD.turns} turns, which only read`, taken, 3),
    { cells: ["  peak memory (PSS): daemon and projects", "", memory, ""], goal: atMost(200, daemon + projects, "MB") },
  ];
}

async function writingCrowds(hall: BenchHall): Promise<Line[]> {
  const how = { role: "coder" as const, rounds: 1 };
  const withGit = await crowds(hall, { ...how, project: await hall.gitProject() });
  const without = await crowds(hall, { ...how, project: await hall.project() });
  return [
    ratio("  which may write: in a repository, each in a worktree of its own", withGit),
    ratio("  which may write: in a folder without git, one after the other", without),
  ];
}

async function crowds(
  hall: BenchHall,
  { project, role, rounds }: { project: string; role: BenchRole; rounds: number },
): Promise<[number, number]> {
  const bare: number[] = [];
  const own: number[] = [];
  await hall.spawn(project, hall.prompt("turns=1").text, role);
  const all = (one: () => Promise<unknown>) => Promise.all(Array.from({ length: CROWD.runs }, one));
  const words = `turns=${CROWD.turns}`;
  for (let round = 0; round < rounds; round++) {
    bare.push(await timed(() => all(() => bareLoop(hall.modelUrl, hall.prompt(words).text, hall.file))));
    own.push(await timed(() => all(() => hall.spawn(project, hall.prompt(words).text, role))));
  }
  return [median(bare), median(own)];
}

async function oneSpawn(hall: BenchHall, rounds: number): Promise<Line[]> {
  const alone = await hall.project();
  const repository = await hall.gitProject();
  const warmUp = SPAWN_WARM_UP;
  return [
    ratio(
      "a spawn of one turn, with task, journal, artifact and audit",
      await spawns(hall, { project: alone, role: "reader", rounds: rounds * 2, warmUp }),
      8,
    ),
    ratio(
      "  that may write: with a checkpoint before and after, without git",
      await spawns(hall, { project: alone, role: "coder", rounds }),
    ),
    ratio(
      "  that may write: with a worktree of its own",
      await spawns(hall, { project: repository, role: "coder", rounds: Math.ceil(rounds / 3) }),
    ),
  ];
}

async function spawns(
  hall: BenchHall,
  { project, role, rounds, warmUp = 1 }: { project: string; role: BenchRole; rounds: number; warmUp?: number },
): Promise<[number, number]> {
  const bare: number[] = [];
  const own: number[] = [];
  for (let round = -warmUp; round < rounds; round++) {
    const floor = await timed(() => bareLoop(hall.modelUrl, hall.prompt("turns=1").text, hall.file));
    const whole = await timed(() => hall.spawn(project, hall.prompt("turns=1").text, role));
    if (round < 0) continue;
    bare.push(floor);
    own.push(whole);
  }
  return [median(bare), median(own)];
}

async function coldStarts(hall: BenchHall, rounds: number): Promise<Line[]> {
  const script: number[] = [];
  const parked: number[] = [];
  const stopped: number[] = [];
  for (let round = 0; round < rounds; round++) {
    script.push(await bareColdStart(hall));
    const project = await hall.project();
    parked.push(await firstRequest(hall, (text) => hall.spawn(project, text)));
    await hall.end();
    stopped.push(
      await firstRequest(hall, async (text) => {
        await hall.start();
        await hall.spawn(project, text);
      }),
    );
  }
  const bare = median(script);
  return [
    ratio("from a spawn on a parked project to its first model request", [bare, median(parked)], 2.5),
    ratio("from the start of the daemon to the first model request", [bare, median(stopped)], 5),
  ];
}

async function firstRequest(hall: BenchHall, begin: (text: string) => Promise<unknown>): Promise<number> {
  const { tag, text } = hall.prompt("turns=1");
  const start = wallClock();
  await begin(text);
  return (await hall.arrival(tag)) - start;
}

async function bareColdStart(hall: BenchHall): Promise<number> {
  return firstRequest(hall, (text) => {
    const script = join(import.meta.dirname, "kit/bare-loop.ts");
    const child = spawn(process.execPath, [script, hall.modelUrl, text, hall.file], { stdio: "ignore" });
    return new Promise((resolve) => child.once("exit", resolve));
  });
}

/** How much longer a turn takes for every hundred that came before it. */
async function growth(hall: BenchHall, { role, length }: { role: BenchRole; length: number }): Promise<Line> {
  const project = await hall.project();
  const [bare, own] = [hall.prompt(`turns=${length}`), hall.prompt(`turns=${length}`)];
  await bareLoop(hall.modelUrl, bare.text, hall.file);
  await hall.spawn(project, own.text, role);
  const [floor, slope] = [perHundred(await hall.seen(bare.tag)), perHundred(await hall.seen(own.tag))];
  const name = `longer for every 100 turns, up to turn ${length}, over ${wireOf(role)}`;
  return { cells: [name, ms(floor), ms(slope), times(slope / floor)], goal: atMost(0.3, slope, "ms") };
}

/** From the medians of the second and the last tenth of the turns. */
function perHundred(arrivals: number[]): number {
  const gaps = arrivals.slice(1).map((at, index) => at - (arrivals[index] ?? 0));
  const tenth = Math.floor(gaps.length / 10);
  const early = median(gaps.slice(tenth, 2 * tenth));
  const late = median(gaps.slice(-tenth));
  return ((late - early) / (gaps.length - 2 * tenth)) * 100;
}

/** From the start of a daemon whose predecessor was killed to the request with which the run goes on. */
async function resumption(hall: BenchHall, rounds: number): Promise<Line[]> {
  const taken = { fresh: [] as number[], long: [] as number[] };
  for (let round = 0; round < rounds; round++) {
    taken.fresh.push(await resumeAfter(hall, 0));
    taken.long.push(await resumeAfter(hall, RESUMED));
  }
  const [fresh, long] = [median(taken.fresh), median(taken.long)];
  const cells = [`taking up a run of ${RESUMED} turns after kill -9, above one of none`, "", ms(long - fresh), ""];
  return [{ cells, goal: atMost(40, long - fresh, "ms") }];
}

async function resumeAfter(hall: BenchHall, turnsBefore: number): Promise<number> {
  const project = await hall.project();
  const { tag, text } = hall.prompt(`turns=10000 hang=${turnsBefore}`);
  const { sessionId } = (await hall.begin(project, text)) as { sessionId: string };
  await hall.arrival(tag, turnsBefore + 1);
  await hall.end("SIGKILL");
  const start = wallClock();
  await hall.start();
  const taken = (await hall.arrival(tag, turnsBefore + 2)) - start;
  await hall.client.call("POST", `/api/runs/${sessionId}/stop`);
  return taken;
}

function span(arrivals: number[]): number {
  return (arrivals.at(-1) ?? 0) - (arrivals[0] ?? 0);
}
