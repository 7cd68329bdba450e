import { describe, expect, it } from "vitest";
import { ProjectCreate } from "../../contract/documents/project.ts";
import type { SandboxSettings } from "../../contract/documents/sandbox.ts";
import { newProject } from "../../workspace/projects/project-rules.ts";
import { sandboxFor } from "./run-sandbox.ts";

const ROOT = "/srv/hall";
const projectWith = (sandbox: SandboxSettings) =>
  newProject("shop", ProjectCreate.parse({ name: "Shop", config: { sandbox, envFiles: ["conf/env"] } }), "");
const none = { name: "none" as const, detail: "no sandbox works here: bwrap: not there" };
const unshare = { name: "unshare" as const, detail: "" };

describe("the sandbox of a run", () => {
  it("has no network and hides the workspace, unless the project says otherwise", () => {
    expect(sandboxFor(projectWith({}), unshare, ROOT)).toEqual({
      name: "unshare",
      network: false,
      readable: [],
      writable: [],
      memoryMb: 4_096,
      processes: 512,
      envFiles: ["conf/env"],
      hidden: [ROOT],
    });
    const own = { network: true, readable: ["/opt/data"], writable: ["/opt/cache"], memoryMb: 256, processes: 32 };
    expect(sandboxFor(projectWith(own), unshare, ROOT)).toMatchObject(own);
  });

  it("is none, and no commands are run, where none works; unless the person accepted that for the project", () => {
    expect(sandboxFor(projectWith({}), none, ROOT)).toBe(
      "no sandbox works here: bwrap: not there, and the project does not set sandbox.unsandboxed",
    );
    expect(sandboxFor(projectWith({ unsandboxed: true }), none, ROOT)).toMatchObject({ name: "none" });
    expect(sandboxFor(projectWith({ unsandboxed: true }), unshare, ROOT)).toMatchObject({ name: "unshare" });
    expect(sandboxFor(projectWith({}), { name: "probing", detail: "" }, ROOT)).toContain("not been checked yet");
  });

  it.each(["/", "/srv", ROOT, `${ROOT}/projects/other`])("is refused with %s to be shown", (path) => {
    expect(() => sandboxFor(projectWith({ readable: [path] }), unshare, ROOT)).toThrow(
      "would expose the workspace to commands",
    );
    expect(() => sandboxFor(projectWith({ writable: [path] }), unshare, ROOT)).toThrow(
      "would expose the workspace to commands",
    );
  });
});
