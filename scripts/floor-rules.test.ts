import { describe, expect, it } from "vitest";
import { cycleProblems, floorProblems } from "./floor-rules.ts";

function problems(files: Record<string, string>): string[] {
  return floorProblems(new Map(Object.entries(files)));
}

function cycles(files: Record<string, string>): string[] {
  return cycleProblems(new Map(Object.entries(files)));
}

describe("the direction of the floors", () => {
  it("lets a floor import itself and every floor below it", () => {
    expect(
      problems({
        "src/contract/task.ts": 'import { z } from "zod";',
        "src/store/files.ts": 'import { open } from "node:fs/promises";\nimport "../contract/task.ts";',
        "src/workspace/board.ts": 'import "../store/files.ts";\nimport type { Task } from "../contract/task.ts";',
        "src/server/app.ts": 'export { board } from "../workspace/board.ts";',
      }),
    ).toEqual([]);
  });

  it.each([
    ["a static import", 'import { board } from "../workspace/board.ts";'],
    ["a type import", 'import type { Board } from "../workspace/board.ts";'],
    ["a type import inside a type", 'type Board = import("../workspace/board.ts").Board;'],
    ["an import for its effects", 'import "../workspace/board.ts";'],
    ["a lazy import", 'const load = () => import("../workspace/board.ts");'],
    ["a re-export", 'export { board } from "../workspace/board.ts";'],
    ["a re-export of everything", 'export * from "../workspace/board.ts";'],
    ["a re-export of types", 'export type { Board } from "../workspace/board.ts";'],
  ])("refuses %s of a floor above", (_, source) => {
    expect(problems({ "src/store/files.ts": source })).toEqual([
      "src/store/files.ts: store must not import workspace, which stands above it",
    ]);
  });

  it.each(["models/gate.ts", "processes/places.ts", "runs/scheduler.ts", "projects/talk.ts"])(
    "refuses %s in a project's process",
    (path) => {
      expect(problems({ "src/worker/host.ts": `import type { Any } from "../${path}";` })).toHaveLength(1);
      expect(problems({ "src/project.ts": `import "./${path}";` })).toHaveLength(1);
    },
  );

  it("keeps what runs in a project's process out of the daemon, tests of both sides together excepted", () => {
    const source = 'import "../worker/model-proxy.ts";';
    expect(problems({ "src/processes/model-desk.ts": source })).toEqual([
      "src/processes/model-desk.ts: processes must not import worker, which runs in a project's process",
    ]);
    expect(problems({ "src/daemon.ts": 'import "./worker/host.ts";' })).toHaveLength(1);
    expect(problems({ "src/processes/model-desk.test.ts": source })).toEqual([]);
    expect(problems({ "src/project.ts": 'import "./worker/host.ts";\nimport "./contract/protocol.ts";' })).toEqual([]);
  });

  it("refuses runs and projects in what supervises processes", () => {
    expect(problems({ "src/processes/places.ts": 'import "../runs/engine.ts";' })).toHaveLength(1);
    expect(problems({ "src/processes/places.ts": 'import "../projects/talk.ts";' })).toHaveLength(1);
  });

  it("keeps the tables of the index from everyone above workspace, their types included", () => {
    const index = ["store/run-table.ts", "store/hall-index.ts", "store/index/database.ts", "workspace/indexed-core.ts"];
    for (const path of index) {
      expect(problems({ "src/runs/run-book.ts": `import type { Any } from "../${path}";` })).toEqual([
        `src/runs/run-book.ts: runs must not import src/${path}, a part of the index; workspace/records.ts has what may be asked of it`,
      ]);
      expect(problems({ "src/daemon.ts": `import "./${path}";` })).toHaveLength(1);
      expect(problems({ "src/runs/run-book.test.ts": `import "../${path}";` })).toEqual([]);
    }
    expect(problems({ "src/workspace/records.ts": 'import type { RunTable } from "../store/run-table.ts";' })).toEqual(
      [],
    );
  });

  it("holds tests to the same direction", () => {
    expect(problems({ "src/store/files.test.ts": 'import "../server/app.ts";' })).toHaveLength(1);
  });

  it("reads imports, not text that looks like one", () => {
    const source = [
      '// import "../server/app.ts";',
      "const text = 'import \"../server/app.ts\"';",
      'const pattern = /["\'`]import "..\\/server"/;',
      'const template = `export * from "../server/app.ts"`;',
    ];
    expect(problems({ "src/store/files.ts": source.join("\n") })).toEqual([]);
  });

  it("refuses an import() of a computed path", () => {
    expect(problems({ "src/store/files.ts": "const load = (name: string) => import(name);" })).toEqual([
      "src/store/files.ts: imports a computed path, which nobody can check",
    ]);
  });

  it("lets every floor but contract find the program's own files, which import no floor", () => {
    expect(problems({ "src/cli/main.ts": 'import "../program.ts";', "src/program.ts": 'import "node:fs";' })).toEqual(
      [],
    );
    expect(problems({ "src/contract/task.ts": 'import "../program.ts";' })).toHaveLength(1);
    expect(problems({ "src/program.ts": 'import "./contract/task.ts";' })).toHaveLength(1);
  });

  it("knows every file's floor", () => {
    expect(problems({ "src/utils/text.ts": "", "src/stray.ts": "" })).toHaveLength(2);
    expect(problems({ "src/store/files.ts": 'import "../utils/text.ts";' })).toEqual([
      "src/store/files.ts: imports src/utils/text.ts, which lies on no floor",
    ]);
  });

  it("keeps the program inside src/, except for package.json and what tests need", () => {
    expect(problems({ "src/store/files.ts": 'import "../../test/fake-clock.ts";' })).toEqual([
      "src/store/files.ts: imports test/fake-clock.ts, which is not part of the program",
    ]);
    expect(
      problems({
        "src/store/files.test.ts": 'import "../../test/fake-clock.ts";',
        "src/server/app.ts": 'import about from "../../package.json" with { type: "json" };',
      }),
    ).toEqual([]);
  });
});

describe("the composition roots", () => {
  it("may see every floor, in the daemon", () => {
    const source = 'import "./server/app.ts";\nimport "./store/files.ts";';
    expect(problems({ "src/daemon.ts": source })).toEqual([]);
  });

  it("are seen by no floor", () => {
    expect(problems({ "src/server/app.ts": 'import "../daemon.ts";' })).toEqual([
      "src/server/app.ts: server must not import the composition root src/daemon.ts",
    ]);
  });
});

describe("the command line", () => {
  it("may import the contract, and the daemon lazily", () => {
    const source = 'import "../contract/task.ts";\nconst up = () => import("../daemon.ts");';
    expect(problems({ "src/cli/up.ts": source })).toEqual([]);
  });

  it.each(["import { start }", "import type { Daemon }"])("refuses a static %s from the daemon", (start) => {
    expect(problems({ "src/cli/up.ts": `${start} from "../daemon.ts";` })).toEqual([
      "src/cli/up.ts: cli may reach daemon.ts by import() only",
    ]);
  });

  it.each(["store", "workspace", "server"])("must not import %s", (floor) => {
    expect(problems({ "src/cli/up.ts": `import "../${floor}/thing.ts";` })).toEqual([
      `src/cli/up.ts: cli must not import ${floor}, only contract`,
    ]);
  });
});

describe("what comes from outside", () => {
  it.each(["node:path", "hono", "fs"])("lets contract import zod, not %s", (specifier) => {
    expect(problems({ "src/contract/task.ts": `import "zod";\nimport "${specifier}";` })).toEqual([
      `src/contract/task.ts: contract must not import ${specifier}, only zod`,
    ]);
  });

  it("keeps the packages of model providers to the gate", () => {
    expect(problems({ "src/models/language-models.ts": 'import "@ai-sdk/anthropic";' })).toEqual([]);
    expect(problems({ "src/agent/run-agent.ts": 'import type { X } from "@ai-sdk/provider";' })).toEqual([
      "src/agent/run-agent.ts: agent must not import @ai-sdk/provider; models does",
    ]);
  });

  it.each(["node:fs", "node:fs/promises", "fs", "node:sqlite"])("keeps %s to the store", (specifier) => {
    const source = `import "${specifier}";`;
    expect(problems({ "src/store/files.ts": source })).toEqual([]);
    expect(problems({ "src/workspace/board.ts": source, "src/server/app.ts": source })).toEqual([
      `src/workspace/board.ts: workspace must not import ${specifier}; store does`,
      `src/server/app.ts: server must not import ${specifier}; store does`,
    ]);
  });

  it("lets cli and daemon read a file, but not open a database", () => {
    const files = 'import { readFileSync } from "node:fs";';
    expect(problems({ "src/cli/token.ts": files, "src/daemon.ts": files })).toEqual([]);
    expect(problems({ "src/daemon.ts": 'import "node:sqlite";' })).toHaveLength(1);
  });

  it("leaves tests free to prepare files and to use test tools", () => {
    const source = 'import "node:fs";\nimport "node:sqlite";\nimport "vitest";';
    expect(problems({ "src/workspace/board.test.ts": source, "src/contract/task.test.ts": source })).toEqual([]);
  });
});

describe("import cycles", () => {
  it("names the files of a circle in order", () => {
    expect(
      cycles({
        "src/store/a.ts": 'import "./b.ts";',
        "src/store/b.ts": 'export * from "./c.ts";',
        "src/store/c.ts": 'const load = () => import("./a.ts");',
      }),
    ).toEqual(["import cycle: src/store/a.ts → src/store/b.ts → src/store/c.ts → src/store/a.ts"]);
  });

  it("finds a file that imports itself", () => {
    expect(cycles({ "src/store/a.ts": 'import "./a.ts";' })).toHaveLength(1);
  });

  it("counts a type import, though it is gone at run time", () => {
    const back = 'import type { A } from "./a.ts";';
    expect(cycles({ "src/store/a.ts": 'import "./b.ts";', "src/store/b.ts": back })).toHaveLength(1);
  });

  it("accepts two ways to the same file", () => {
    expect(
      cycles({
        "src/store/a.ts": 'import "./b.ts";\nimport "./c.ts";',
        "src/store/b.ts": 'import "./c.ts";',
        "src/store/c.ts": "",
      }),
    ).toEqual([]);
  });
});
