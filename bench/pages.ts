import type { Bench } from "./kit/bench.ts";
import { startBusy } from "./kit/busy-process.ts";
import type { Line, Table } from "./kit/report.ts";
import { launchChromium } from "./kit/tabs.ts";
import { boards } from "./pages/boards.ts";
import { eventsToPages } from "./pages/events-to-pages.ts";
import { inbox } from "./pages/inbox.ts";
import { loading } from "./pages/loading.ts";
import { upkeep } from "./pages/upkeep.ts";

const LARGE = 10_000;
const SMALL = 100;
const QUESTIONS = 500;

/** The dashboard in a real Chromium, on busy halls whose largest board has 10,000 tasks. It must have been built. */
export async function pages({ workspaces, quick }: Bench): Promise<Table> {
  const browser = await launchChromium();
  try {
    const lines: Line[] = [];
    const large = await startBusy(LARGE);
    try {
      lines.push(...(await loading(browser, large, quick)));
      lines.push(...(await eventsToPages(browser, large, quick)));
      const small = await startBusy(SMALL, QUESTIONS);
      const halls = [
        { hall: small, tasks: SMALL },
        { hall: large, tasks: LARGE },
      ];
      await inbox(browser, small, { quick, questions: QUESTIONS })
        .then((found) => lines.push(...found))
        .then(() => boards({ browser, halls, quick }))
        .then((found) => lines.push(...found))
        .finally(() => small.end());
    } finally {
      await large.end();
    }
    lines.push(...(await upkeep({ browser, workspaces, quick })));
    return { title: "The dashboard, in a Chromium", columns: ["", "figure", "floor", "of floor"], lines };
  } finally {
    await browser.close();
  }
}
