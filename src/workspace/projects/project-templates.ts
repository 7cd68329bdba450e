import type { ProjectCreate, ProjectTemplate } from "../../contract/documents/project.ts";
import { HallError } from "../../contract/errors.ts";
import { hint } from "../../contract/words/hint.ts";

/** The built-in beginnings of a project. What a person says of their own takes the place of what a template says. */
export const PROJECT_TEMPLATES: readonly ProjectTemplate[] = [
  {
    id: "software",
    name: "Software",
    description: "A program to build, test and maintain.",
    background:
      "Who uses the program, and what for. What exists, where the code is, how it is built and tested, what was tried before.",
    goals: [
      "Every change works, and a test shows it",
      "The code stays easy to read and to change",
      "Users can find out how to use it",
    ],
    scope: { in: ["Code, tests and documentation of this program"], out: ["Releases without approval"] },
    constraints: { requireReview: true },
  },
  {
    id: "research",
    name: "Research",
    description: "A question answered with verifiable evidence.",
    background: "Why the question matters, who will use the answer, what is already known, and which sources count.",
    goals: [
      "The question has an answer that a reader can act on",
      "Every claim that matters names its source and date",
      "Open questions are stated clearly",
    ],
    scope: { in: ["Finding, weighing and writing up sources"], out: ["Decisions that follow from the answer"] },
    constraints: {},
  },
  {
    id: "operations",
    name: "Operations",
    description: "A system that has to keep running.",
    background: "What runs where, who depends on it, how to check its health, and what to do when it fails.",
    goals: [
      "Problems are noticed before users report them",
      "Routine work is documented as steps anyone can follow",
      "Problems do not recur",
    ],
    scope: { in: ["Checks, reports and written procedures"], out: ["Changes to running systems without review"] },
    constraints: { requireReview: true },
  },
  {
    id: "writing",
    name: "Writing",
    description: "Texts for readers: documentation, articles, a book.",
    background:
      "Who reads it and what they know, the voice to write in, how long it should be, and what exists already.",
    goals: ["A reader finds what they came for", "Facts are checked, and examples work", "All texts have one voice"],
    scope: { in: ["Drafting, checking and editing"], out: ["Publishing without approval"] },
    constraints: { requireReview: true },
  },
];

/** The request as it would be, had the person said all that the template says. Throws when there is no such template. */
export function withTemplate({ template: id, ...body }: ProjectCreate): ProjectCreate {
  if (id === undefined) return body;
  const template = PROJECT_TEMPLATES.find((each) => each.id === id);
  if (template === undefined) {
    const ids = PROJECT_TEMPLATES.map((each) => each.id).join(", ");
    throw new HallError("template_not_found", `There is no project template '${id}'. The templates are: ${ids}.`, {
      hint: hint("project-templates"),
    });
  }
  const { config, goals } = body;
  const own = (mine: string[] | undefined, theirs: string[]) =>
    mine === undefined || mine.length === 0 ? theirs : mine;
  return {
    ...body,
    description: body.description || template.description,
    background: body.background || template.background,
    goals: own(goals, own(config?.goals, template.goals)),
    config: {
      techStack: { languages: [], frameworks: [], tools: [] },
      goals: [],
      ...config,
      scope: { in: own(config?.scope.in, template.scope.in), out: own(config?.scope.out, template.scope.out) },
      constraints: { ...template.constraints, ...config?.constraints },
    },
  };
}
