import type { ProjectTemplate } from "../../contract/project.ts";
import type { Action } from "../context.ts";
import { type Column, textTable } from "../text-table.ts";

export const projectTemplates: Action<"project templates"> = async (_, { call, output }) => {
  const answer = await call("listProjectTemplates", {});
  output.answer(answer, () => {
    if (answer.templates.length === 0) return "There are no templates.";
    const use = `Use one: ${output.calledAs} project create NAME --template ID`;
    return [textTable(columns, answer.templates, output), use].join("\n");
  });
  return 0;
};

const columns: Column<ProjectTemplate>[] = [
  { title: "ID", text: ({ id }) => id, style: () => "bold" },
  { title: "DESCRIPTION", text: ({ description }) => description, flexible: true },
  { title: "GOALS", text: ({ goals }) => goals.join("; "), flexible: true },
];
