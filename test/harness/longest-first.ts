import { relative } from "node:path";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Of the project that comes last: begun at its end, which their size would ask for, the other workers would wait for them. */
const LONGEST = [
  "src/agent/sandbox/sandbox.test.ts",
  "src/runs/git/odd-repositories.test.ts",
  "src/runs/git/merging.test.ts",
  "src/agent/tools/web-tools.test.ts",
];

/** As Vitest would, by project and size, but these before all others. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId, project }: TestSpecification) =>
      LONGEST.includes(relative(project.config.root, moduleId)) ? 0 : 1;
    return (await super.sort(files)).toSorted((left, right) => place(left) - place(right));
  }
}
