import { describe, expect, it } from "vitest";
import { folderProblems, portProblems } from "./size-rules.ts";

const folderOf = (count: number, ending = ".ts") =>
  new Map(Array.from({ length: count }, (_, at) => [`src/store/file-${at}${ending}`, ""]));

describe("folders", () => {
  it("refuses more than 30 source files in one folder, tests not counted", () => {
    expect(folderProblems(new Map([...folderOf(30), ...folderOf(30, ".test.ts")]))).toEqual([]);
    expect(folderProblems(folderOf(31))).toEqual(["src/store: has 31 source files, at most 30; give it subfolders"]);
  });

  it("counts each folder for itself", () => {
    expect(folderProblems(new Map([...folderOf(30), ["src/store/index/table.ts", ""]]))).toEqual([]);
  });
});

describe("ports", () => {
  const port = (methods: number, values: number) =>
    `export interface Port { ${Array.from({ length: methods }, (_, at) => `m${at}(): void;`).join(" ")} ${Array.from({ length: values }, (_, at) => `v${at}: string;`).join(" ")} }`;
  const problems = (source: string) => portProblems(new Map([["src/runs/port.ts", source]]));

  it("refuses an interface of more than 15 members of which at least half can be called", () => {
    expect(problems(port(15, 0))).toEqual([]);
    expect(problems(port(16, 0))).toEqual(["src/runs/port.ts: the port 'Port' has 16 members, at most 15; split it"]);
    expect(problems(port(8, 8))).toHaveLength(1);
  });

  it("counts properties that hold a function, in a type alias too", () => {
    const members = Array.from({ length: 16 }, (_, at) => `f${at}: () => void`).join("; ");
    expect(problems(`type Port = { ${members} };`)).toHaveLength(1);
  });

  it("leaves records of values alone", () => {
    expect(problems(port(3, 20))).toEqual([]);
  });
});
