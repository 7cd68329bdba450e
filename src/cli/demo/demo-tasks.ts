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
    description: "Writes clear, accurate documentation.",
    specialty: ["documentation", "readme"],
    skills: ["read", "edit", "write", "list", "search"],
    systemPromptTemplate: 'You write documentation for the project "{{projectName}}". Your task:\n\n{{task}}',
    variables: ["projectName", "task"],
  },
  {
    id: "lead",
    name: "Team Lead",
    emoji: "🧭",
    description: "Plans and delegates work, and is responsible for the result.",
    specialty: ["planning", "architecture"],
    skills: ["read", "edit", "write", "list", "search", "spawn_subagent", "notify"],
    systemPromptTemplate:
      'You lead the work on the project "{{projectName}}". Delegate what others can do, and have it reviewed before you report.\n\nYour task:\n\n{{task}}',
    variables: ["projectName", "task"],
  },
];

/** Who does what. The titles are what the playbooks are chosen by. */
export const DEMO_TASKS: Record<DemoTaskName, { roleId: string; task: TaskBody }> = {
  fix: {
    roleId: "coder",
    task: {
      title: "Apply the discount only once",
      type: "bug",
      priority: "urgent",
      description:
        "With FRIENDS20, two loaves of bread cost 4.10 € instead of 5.12 €. A test in test/cart.test.js fails.",
      acceptanceCriteria: ["Two loaves with FRIENDS20 cost 5.12 €", "All tests pass", "No tests changed"],
      labels: ["cart"],
      context: { files: ["src/cart.js", "test/cart.test.js"] },
    },
  },
  docs: {
    roleId: "writer",
    task: {
      title: "Document the cart in the README",
      type: "docs",
      description: 'The "Usage" section of the README is empty.',
      acceptanceCriteria: ["It has a complete, runnable example", "Discount codes and errors are explained"],
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
      description: "Shipping costs 4.90 € and is free from 50 €, based on the price after the discount.",
      acceptanceCriteria: [
        "Shipping is charged at 49.99 € and free at 50.00 €",
        "An empty cart has no shipping cost",
        "Someone other than the author has reviewed the code",
      ],
      labels: ["cart", "shipping"],
    },
  },
  prices: {
    roleId: "coder",
    task: {
      title: "Import the supplier's new prices",
      description: "The supplier sends data/supplier-prices.csv once a month. Update src/prices.js to match.",
      acceptanceCriteria: ["Every product in the list has its new price"],
      labels: ["prices"],
    },
  },
};
