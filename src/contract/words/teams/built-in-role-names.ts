/** What the roles are called that teams have without a person creating them. */
export const BUILT_IN_ROLE_NAMES: Readonly<Record<string, { name: string; emoji: string }>> = {
  "team-lead": { name: "Team Lead", emoji: "🧭" },
  "team-checker": { name: "Acceptance Checker", emoji: "🔎" },
  "ux-ui-designer": { name: "UX/UI Designer", emoji: "🎨" },
  "frontend-implementer": { name: "Frontend Engineer", emoji: "🖥️" },
  "backend-implementer": { name: "Backend Engineer", emoji: "🛠️" },
  "codebase-cartographer": { name: "Codebase Cartographer", emoji: "🗺️" },
  explore: { name: "Explorer", emoji: "🔭" },
  "quality-reviewer": { name: "Quality Reviewer", emoji: "🛡️" },
  engineer: { name: "Engineer", emoji: "👩‍💻" },
};
