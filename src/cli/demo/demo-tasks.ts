import type { CallInput } from "../http/client.ts";

type TaskBody = CallInput<"createTask">["body"];
type RoleBody = CallInput<"createRole">["body"];

export type DemoTaskName = "fix" | "docs" | "feature" | "prices";

export const DEMO_PROJECT = "corner-shop";
export const DEMO_PLAN = "autumn-sale";

/** Two templates as they are, one with another name, and one that is made here. */
export const DEMO_ROLES: readonly RoleBody[] = [
  { id: "coder", template: "coder" },
  { id: "reviewer", template: "reviewer" },
  {
    id: "writer",
    name: "Technical Writer",
    emoji: "✍️",
    description: "Writes what a reader needs, and nothing that is not so.",
    specialty: ["documentation", "readme"],
    skills: ["read", "edit", "write", "list", "search"],
    systemPromptTemplate: 'You write the documentation of the project "{{projectName}}". Your task:\n\n{{task}}',
    variables: ["projectName", "task"],
  },
  {
    id: "lead",
    name: "Team Lead",
    emoji: "🧭",
    description: "Takes work apart, hands it out and answers for the whole.",
    specialty: ["planning", "architecture"],
    skills: ["read", "edit", "write", "list", "search", "spawn_subagent", "notify"],
    systemPromptTemplate:
      'You lead the work on the project "{{projectName}}". Hand out what others can do, and have it read before you report.\n\nYour task:\n\n{{task}}',
    variables: ["projectName", "task"],
  },
];

/** Who does what. The titles are what the playbooks are chosen by. */
export const DEMO_TASKS: Record<DemoTaskName, { roleId: string; task: TaskBody }> = {
  fix: {
    roleId: "coder",
    task: {
      title: "Take the discount off once",
      type: "bug",
      priority: "urgent",
      description:
        "With FRIENDS20 two loaves of bread cost 4.10 € instead of 5.12 €. A test in test/cart.test.js is red.",
      acceptanceCriteria: [
        "Two loaves with FRIENDS20 cost 5.12 €",
        "All tests of the repository are green",
        "No test was changed",
      ],
      labels: ["cart"],
      context: { files: ["src/cart.js", "test/cart.test.js"] },
    },
  },
  docs: {
    roleId: "writer",
    task: {
      title: "Describe the cart in the README",
      type: "docs",
      description: 'The part "Use" of the README is still to be written.',
      acceptanceCriteria: ["There is an example that runs as it stands", "Codes and refusals are explained"],
      labels: ["docs"],
      context: { files: ["README.md"] },
    },
  },
  feature: {
    roleId: "lead",
    task: {
      title: "Free shipping from 50 euros",
      type: "feature",
      priority: "high",
      description: "Shipping costs 4.90 €, and nothing from 50 € on. What counts is the price after the discount.",
      acceptanceCriteria: [
        "49.99 € pays for shipping, 50.00 € does not",
        "An empty cart ships nothing",
        "Someone other than its author has read the code",
      ],
      labels: ["cart", "shipping"],
    },
  },
  prices: {
    roleId: "coder",
    task: {
      title: "Take over the supplier's new prices",
      description: "The supplier sends data/supplier-prices.csv once a month. Bring src/prices.js in line with it.",
      acceptanceCriteria: ["Every article of the list has its new price"],
      labels: ["prices"],
    },
  },
};
