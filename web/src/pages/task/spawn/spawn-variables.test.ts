import { expect, it } from "vitest";
import { openVariables } from "./spawn-variables.ts";

const variables = ["specialty", "projectName", "projectDescription", "techStack", "taskDescription", "tone"];
const project = (description: string, languages: string[]) => ({
  description,
  config: { techStack: { languages, frameworks: [], tools: [] } },
});

it("asks only for what the hall cannot fill in by itself", () => {
  const role = { description: "", specialty: ["ts"], variables };
  expect(openVariables({ role, project: project("A shop", ["ts"]), taskDescription: "Do it" })).toEqual(["tone"]);
});

it("asks for what is empty in the role, the project or the task", () => {
  const role = { description: "", specialty: [], variables };
  expect(openVariables({ role, project: project("", []), taskDescription: "" })).toEqual(
    variables.filter((name) => name !== "projectName"),
  );
});
