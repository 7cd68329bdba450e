import type { ProjectCreate, ProjectTemplate } from "../../contract/documents/project.ts";
import { HallError } from "../../contract/errors.ts";
import { hint } from "../../contract/words/hint.ts";

/** The built-in beginnings of a project. What a person says of their own takes the place of what a template says. */
export const PROJECT_TEMPLATES: readonly ProjectTemplate[] = [
  {
    id: "software",
    name: "Software",
    description: "A program that is built, tested and kept in order.",
    background:
      "Who uses the program, and what for. What exists already, where the code lies, how it is built and tested, and what was tried before.",
    goals: [
      "Every change works, and a test shows it",
      "The code stays easy to read and to change",
      "People can find out how to use it",
    ],
    scope: { in: ["Code, tests and documentation of this program"], out: ["Releases without a person's word"] },
    constraints: { requireReview: true },
  },
  {
    id: "research",
    name: "Research",
    description: "A question that is answered with evidence others can check.",
    background: "Why the question matters, who will use the answer, what is known already, and which sources count.",
    goals: [
      "The question has an answer that a reader can act on",
      "Every claim that matters names its source and date",
      "What could not be settled is said plainly",
    ],
    scope: { in: ["Finding, weighing and writing up sources"], out: ["Decisions that follow from the answer"] },
    constraints: {},
  },
  {
    id: "operations",
    name: "Operations",
    description: "Something that runs and has to keep running.",
    background: "What runs where, who depends on it, how one sees that it is well, and what to do when it is not.",
    goals: [
      "Trouble is noticed before people report it",
      "What is done often is written down as steps anybody can follow",
      "The same trouble does not come back",
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
    goals: [
      "A reader finds what they came for",
      "Facts are checked, and examples work",
      "All texts speak with one voice",
    ],
    scope: { in: ["Drafting, checking and editing"], out: ["Publishing without a person's word"] },
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
