import type { CheckKind, Domain, PhaseStatus, SddMode, Strategy, TeamApproval } from "./team-words.ts";

/** A choice, and what comes of it in one sentence. */
interface Choice {
  label: string;
  about: string;
}

export const APPROVAL_WORDS: Readonly<Record<TeamApproval, Choice>> = {
  plan: { label: "Plan", about: "You approve the plan before any work starts." },
  "spec-and-plan": { label: "Spec and plan", about: "You approve the spec first, then the plan." },
  none: { label: "None", about: "Work starts without asking you." },
};

export const STRATEGY_WORDS: Readonly<Record<Strategy, Choice>> = {
  single: { label: "Single", about: "One member does all tasks, one after the other." },
  flat: { label: "Flat", about: "Several members work side by side." },
  managed: { label: "Managed", about: "Heads work side by side and start workers of their own." },
};

export const SDD_WORDS: Readonly<Record<SddMode, Choice>> = {
  auto: { label: "Auto", about: "Chosen from the goal." },
  quick: { label: "Quick", about: "A short spec for a small change." },
  bugfix: { label: "Bug fix", about: "States current, expected and unchanged behavior." },
  full: { label: "Full", about: "Goals, requirements, risks and definition of done." },
};

export const DOMAIN_WORDS: Readonly<Record<Domain, string>> = {
  ux_design: "UX design",
  frontend: "Frontend",
  backend: "Backend",
  research: "Research",
  search: "Search",
  review: "Review",
  other: "Other",
};

export const PHASE_WORDS: Readonly<Record<PhaseStatus, string>> = {
  pending: "Not started",
  "in-progress": "In progress",
  completed: "Completed",
  blocked: "Blocked",
};

/** How a criterion is proven. */
export const CHECK_WORDS: Readonly<Record<CheckKind, string>> = {
  test: "Test",
  command: "Command",
  look: "Inspection",
};

export const CRITERION_WORDS = { open: "Open", met: "Met", unmet: "Not met", waived: "Left out" } as const;

export const MEMBER_WORDS = { working: "Working", waiting: "Waiting", idle: "Idle", stopped: "Stopped" } as const;

/** What only a person can judge in a report. */
export const FOR_PERSON_WORDS = {
  waiver: "Waived finding",
  dispute: "Disputed finding",
  unproven: "Not proven",
  "changed-test": "Changed test",
  "changed-settings": "Changed gate settings",
  "changed-interface": "Changed interface",
  unwired: "New file without importers",
  "left-out": "Task left out",
  unmet: "Criterion not met",
  "approved-anyway": "Delivered anyway",
} as const;
