type Turn = Record<string, unknown>;

const call = (tool: string, input: object) => ({ tool, input });
const report = (summary: string, outcome = "full") => call("report", { summary, outcome });
const LONG = 600_000;

/** What the helpers of a lead do, by what their task says. */
export const HELPER_PLAYBOOKS: Record<string, { when: string; turns: Turn[] }> = {
  "helper-measures": {
    when: "Find out what is slow",
    turns: [
      { text: "I measure.", calls: [call("list", { path: "." })] },
      { calls: [report("Opening the calendar draws all twelve months: 340 of 380 ms. One month would do.")] },
      { text: "It draws twelve months where one is seen." },
    ],
  },
  "helper-reads": {
    when: "Read what is planned",
    turns: [
      { text: "I read the plan.", calls: [call("list", { path: "plans" })] },
      { calls: [report("The plan is sound. Keep the keyboard in mind: the arrow keys move between months.")] },
      { text: "The plan is sound." },
    ],
  },
};

const build: Turn[] = [
  {
    think: "Before I write I look at what is there; the smallest change that does the job is the best one.",
    text: "I look around.",
    calls: [call("list", { path: "." })],
  },
  {
    text: "Now the change, with a note for whoever comes next.",
    calls: [
      call("write", {
        path: "src/retry.js",
        content:
          "/** Tries again, each time after twice the pause. */\nexport async function retry(work, { times = 3, pauseMs = 100 } = {}) {\n  for (let left = times; ; left--) {\n    try {\n      return await work();\n    } catch (error) {\n      if (left <= 1) throw error;\n      await new Promise((resolve) => setTimeout(resolve, pauseMs * 2 ** (times - left)));\n    }\n  }\n}\n",
      }),
      call("write", { path: "docs/retries.md", content: "# Retries\n\nThree times, with growing pauses.\n" }),
    ],
  },
  {
    calls: [
      report(
        "**Slow networks are survived now.** A request is tried three times, with growing pauses.\n\n- `src/retry.js` is new\n- `docs/retries.md` says when to use it\n\n| Before | After |\n|---|---|\n| 1 try | 3 tries |\n",
      ),
    ],
  },
  { text: "Done: requests are tried again." },
];

/** What the agents of a busy hall do, by the names of their models (`offline/build`). */
export const BUSY_PLAYBOOKS: Record<string, Turn[]> = {
  build,
  research: [
    { text: "I gather what is known.", calls: [call("list", { path: "." })] },
    {
      calls: [
        report(
          "## Findings\n\n1. Failures come in bursts, on Monday mornings between 6:00 and 6:20.\n2. The import of the weekend locks the table for that time.\n3. Nothing is lost: what failed is tried again.\n\n> Moving the import to Sunday evening would end it.\n\nOpen: whether the bank can deliver earlier.",
          "partial",
        ),
      ],
    },
    { text: "The reason is found; what to do about it is yours to decide." },
  ],
  lead: [
    {
      text: "I hand the two parts to others.",
      calls: [
        call("spawn_subagent", { role: "researcher", title: "Find out what is slow" }),
        call("spawn_subagent", { role: "reviewer", title: "Read what is planned" }),
      ],
    },
    { calls: [report("Two colleagues looked at it. What they found:\n\n{{result.1}}\n\n{{result.2}}")] },
    { text: "It is clear now where the time goes." },
  ],
  polish: [
    { text: "I read what there is.", calls: [call("read", { path: "src/money.js" })] },
    {
      text: "Amounts on invoices need a thousands separator.",
      calls: [
        call("edit", {
          path: "src/money.js",
          oldText: "  const whole = Math.floor(Math.abs(cents) / 100);\n",
          newText: '  const whole = String(Math.floor(Math.abs(cents) / 100)).replace(/\\B(?=(\\d{3})+$)/g, ",");\n',
        }),
        call("write", { path: "docs/invoices.md", content: "# Invoices\n\nAmounts are shown as `1,234.50 €`.\n" }),
      ],
    },
    { calls: [report("Amounts on invoices have a thousands separator, and `docs/invoices.md` says so.")] },
    { text: "Invoices can be read more easily now." },
  ],
  refused: [{ fail: { kind: "refused", times: 9 }, text: "Never said." }],
  circles: Array.from({ length: 6 }, () => ({
    text: "Let me look again.",
    calls: [call("read", { path: "config/production.json" })],
  })),
  slow: [
    {
      think: "Three places could be the cause: the query, the cache, or the size of the answer. I measure each.",
      text: "I measure where the time goes before I change anything.",
      calls: [call("list", { path: "." })],
    },
    { delayMs: LONG, think: "The query takes most of it. ".repeat(40), text: "The query is the cause. ".repeat(40) },
  ],
};
