import type { CallInput } from "../../src/cli/http/client.ts";

type RoleBody = CallInput<"createRole">["body"];
type ProjectBody = CallInput<"createProject">["body"];

export interface BusyProject {
  id: string;
  body: ProjectBody;
  /** What its tasks are about. */
  things: readonly string[];
  status?: "suspended" | "completed";
  /** Works in a git repository of its own. */
  hasRepository?: true;
}

export const BUSY_ROLES: readonly RoleBody[] = [
  { id: "coder", template: "coder" },
  { id: "researcher", template: "researcher" },
  { id: "reviewer", template: "reviewer" },
  { id: "designer", template: "designer" },
  { id: "devops", template: "devops" },
  { id: "tester", template: "tester" },
  { id: "lead", name: "Team Lead", emoji: "🧭", skills: ["read", "write", "edit", "list", "spawn_subagent", "notify"] },
  { id: "writer", template: "coder", name: "Technical Writer", emoji: "✍️" },
  { id: "data-engineer", template: "coder", name: "Data Engineer", emoji: "📊" },
  { id: "translator", template: "researcher", name: "Übersetzerin für Oberflächentexte", emoji: "🌍" },
  { id: "security", template: "reviewer", name: "Security Reviewer", emoji: "🛡️" },
  { id: "support", template: "researcher", name: "Support Engineer", emoji: "🎧" },
  { id: "release-manager", template: "devops", name: "Release Manager", emoji: "📦" },
  { id: "performance", template: "tester", name: "Performance Engineer", emoji: "⏱️" },
  { id: "archivist", template: "researcher", name: "Archivist of Decisions That Nobody Remembers", emoji: "🗄️" },
];

const plainProject = (id: string, name: string, description: string, things: readonly string[]): BusyProject => ({
  id,
  body: { id, name, description, goals: [`${name} is something people rely on`] },
  things,
});

export const BUSY_PROJECTS: readonly BusyProject[] = [
  {
    ...plainProject("web-shop", "Web Shop", "Checkout, cart and catalogue of the shop.", [
      "the checkout",
      "the cart",
      "discount codes",
      "the order mail",
      "product search",
      "the address form",
      "invoices",
    ]),
    hasRepository: true,
  },
  {
    ...plainProject("mobile-app", "📱 Mobile App", "The app for customers, Android and iOS.", [
      "the login",
      "push messages",
      "offline mode",
      "the start screen",
      "the photo upload",
      "dark mode",
      "deep links",
    ]),
    hasRepository: true,
  },
  {
    ...plainProject("payments", "Payments", "Everything that moves money; each change is reviewed.", [
      "refunds",
      "card payments",
      "the ledger",
      "retries",
      "the bank's file",
      "rounding",
      "the fraud check",
    ]),
    hasRepository: true,
  },
  plainProject("data-pipeline", "Data pipeline", "From raw events to the numbers of the morning.", [
    "the nightly import",
    "late events",
    "the sales report",
    "duplicates",
    "the schema",
    "backfills",
  ]),
  plainProject(
    "customer-support",
    "Customer support and everything that has to do with answering letters, calls and complaints in time",
    "Answers, templates and the knowledge base.",
    ["the answer templates", "the phone queue", "the knowledge base", "escalations", "opening hours"],
  ),
  plainProject("design-system", "🎨 Design System", "Components, colours and words that all products share.", [
    "buttons",
    "the colour tokens",
    "the date picker",
    "focus rings",
    "icons",
    "empty states",
  ]),
  plainProject("infrastructure", "Infrastructure", "Servers, builds and deployments.", [
    "the build cache",
    "backups",
    "certificates",
    "log rotation",
    "the staging server",
    "alerts",
  ]),
  plainProject("research", "🔬 Research: pricing", "What customers pay, and why.", [
    "competitor prices",
    "the survey",
    "price elasticity",
    "bundles",
  ]),
  plainProject("uebersetzung", "Übersetzung ins Französische und Türkçe", "Alle Texte der Oberfläche.", [
    "error messages",
    "plural forms",
    "dates",
    "the glossary",
  ]),
  plainProject("japan", "日本語サイト", "The site for Japan.", [
    "line breaking",
    "postal codes",
    "fonts",
    "the legal notice",
  ]),
  {
    ...plainProject("winter-campaign", "Winter campaign ❄️", "Over for this year.", ["the banner"]),
    status: "completed",
  },
  { ...plainProject("legacy-crm", "Legacy CRM", "Waits for the new contract.", ["the export"]), status: "suspended" },
];

/** In turn, for every project. `@` is what it is about. */
export const BUSY_TASKS = [
  { title: "Fix @ when the network is slow", type: "bug", status: "done", priority: "high" },
  { title: "Write down how @ work together with the rest", type: "docs", status: "done" },
  { title: "Make @ twice as fast", type: "feature", status: "in-progress", priority: "high" },
  { title: "Cover @ with tests", type: "test", status: "pending" },
  { title: "Find out why @ fail on Mondays", type: "research", status: "review" },
  { title: "Split the code of @ into parts that one person can understand", type: "refactor", status: "pending" },
  { title: "Let people undo a change of @", type: "feature", status: "blocked", priority: "urgent" },
  { title: "Move @ to the new library", type: "refactor", status: "failed", priority: "low" },
  { title: "Plan the next steps for @", type: "planning", status: "assigned" },
  { title: "Translate the words of @", type: "other", status: "cancelled", priority: "low" },
  { title: "Check @ for secrets in the log", type: "review", status: "done", priority: "urgent" },
  { title: "Say in @ what went wrong and what to do", type: "feature", status: "pending", priority: "medium" },
  { title: "Show @ on a small screen", type: "bug", status: "pending", priority: "medium" },
  { title: "Measure @ before and after", type: "test", status: "in-progress" },
  { title: "Ask customers about @", type: "research", status: "done" },
] as const;

export const BUSY_LABELS = ["backend", "frontend", "customer", "quick-win", "q4", "compliance", "needs-design", "😀"];

export const BUSY_KNOWLEDGE = [
  { text: "Amounts are whole cents everywhere; only the page that shows them formats.", project: "payments" },
  { text: "A refund is never retried by itself: the bank may have carried it out.", project: "payments" },
  { text: "Product search answers within 200 ms at the 95th percentile.", project: "web-shop" },
  { text: "The app supports the last two versions of both systems.", project: "mobile-app" },
  { text: "Times are stored in UTC and shown in the reader's zone.", topic: "conventions" },
  { text: "We write to people as we would speak: short, and without blame.", topic: "preferences" },
  { text: "PostgreSQL stays the only database until 2028.", topic: "decisions" },
] as const;

export const BUSY_MEMORY = [
  {
    project: "web-shop",
    name: "checkout",
    summary: "The checkout keeps its state in the session.",
    text: "Reloading the page does not lose the cart. The session lives for 30 days.",
  },
  {
    project: "payments",
    name: "bank-file",
    summary: "The bank's file comes at 4:30, except on Mondays.",
    text: "On Mondays it comes at 6:00, with three days in it.",
  },
  {
    project: "data-pipeline",
    name: "late-events",
    summary: "Events may be up to 48 hours late.",
    text: "Phones send what they collected when they are online again.",
  },
] as const;
