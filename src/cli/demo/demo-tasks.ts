import type { CallInput } from "../http/client.ts";

type TaskBody = CallInput<"createTask">["body"];
type RoleBody = CallInput<"createRole">["body"];

export type DemoTaskName = "feature" | "prices";

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

/** What the team is for; its playbooks are chosen by this text, and those of its members by the titles in its plan. */
export const DEMO_TEAM = {
  name: "Autumn sale",
  goal: "Get the shop ready for the autumn sale: correct discounts, and a README that explains the cart.",
  // Two tasks, which one worker would do in turn; side by side there is more to see in less time.
  strategy: "flat",
  sdd: "quick",
} as const satisfies CallInput<"createTeam">["body"];

/** Who does what beside the team. The titles are what the playbooks are chosen by. */
export const DEMO_TASKS: Record<DemoTaskName, { roleId: string; task: TaskBody }> = {
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
