import { expect, it } from "vitest";
import { ProjectCreate, ProjectTemplate } from "../../contract/documents/project.ts";
import { PROJECT_TEMPLATES, withTemplate } from "./project-templates.ts";

const asked = (body: object) => withTemplate(ProjectCreate.parse({ name: "Harbour", ...body }));

it.each(PROJECT_TEMPLATES)("makes a whole project of the template $id [S3-FUT-02]", (template) => {
  expect(ProjectTemplate.parse(template)).toEqual(template);
  const body = asked({ template: template.id });
  expect(ProjectCreate.parse(body)).toMatchObject({
    description: template.description,
    background: template.background,
    goals: template.goals,
    config: { scope: template.scope, constraints: template.constraints },
  });
  expect(body).not.toHaveProperty("template");
});

it("lets what the person says win over the template, field by field", () => {
  const config = { scope: { in: ["The north pier"] }, constraints: { requireReview: false, maxTokensPerTask: 5 } };
  const body = asked({ template: "software", description: "Mine.", goals: ["One goal"], config });
  expect(body).toMatchObject({ description: "Mine.", goals: ["One goal"] });
  expect(body.config?.scope).toEqual({ in: ["The north pier"], out: ["Releases without approval"] });
  expect(body.config?.constraints).toEqual({ requireReview: false, maxTokensPerTask: 5 });
  expect(asked({ template: "software", config: { goals: ["In config"] } }).goals).toEqual(["In config"]);
});

it("changes nothing without a template, and refuses one that is not there by naming those that are", () => {
  const body = ProjectCreate.parse({ name: "Harbour" });
  expect(withTemplate(body)).toEqual(body);
  expect(() => asked({ template: "nonsense" })).toThrow("software, research, operations, writing");
});
