import { z } from "zod";
import { line } from "../words/text.ts";

/** Who decides: the agent itself, the agents above it from what is recorded, or the person alone. */
const DECIDERS = ["agent", "main", "person"] as const;

/** Who a question passes on its way up. A step that doesn't exist for a question is skipped; the person is always the last. */
const PATH_STEPS = ["run", "head", "escalation", "lead", "project", "main", "person"] as const;

const DecisionRule = z.strictObject({
  id: z.string().regex(/^[a-z][a-z0-9-]{0,59}$/, "must be lower-case words joined by hyphens"),
  decides: z.enum(DECIDERS),
  what: line(200),
});

export const DEFAULT_DECISIONS: {
  path: (typeof PATH_STEPS)[number][];
  rules: z.infer<typeof DecisionRule>[];
} = {
  path: ["run", "project", "main", "person"],
  rules: [
    { id: "naming", decides: "agent", what: "naming, structure and patterns of the implementation" },
    { id: "conventions", decides: "agent", what: "following recorded conventions" },
    { id: "bug-fixes", decides: "agent", what: "bug fixes with a clear root cause" },
    { id: "tests", decides: "agent", what: "test strategy within existing patterns" },
    { id: "dependencies", decides: "main", what: "new dependencies or tools" },
    { id: "against-conventions", decides: "main", what: "patterns that contradict conventions" },
    { id: "other-projects", decides: "main", what: "work that affects other projects" },
    { id: "scope", decides: "main", what: "scope questions" },
    { id: "direction", decides: "person", what: "changes of direction" },
    { id: "new-work", decides: "person", what: "new initiatives or a much larger scope" },
    { id: "trade-offs", decides: "person", what: "trade-offs without a clear winner" },
    { id: "access", decides: "person", what: "access, credentials and accounts" },
  ],
};

/** policies/decisions.yml: who decides what. */
export const DecisionPolicy = z.strictObject({
  path: z.array(z.enum(PATH_STEPS)).max(20).default(DEFAULT_DECISIONS.path),
  rules: z.array(DecisionRule).max(100).default(DEFAULT_DECISIONS.rules),
});
export type DecisionPolicy = z.infer<typeof DecisionPolicy>;
