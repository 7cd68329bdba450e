import { linkOptions } from "@tanstack/react-router";

/** The six tabs of a project, in the order of their keys. */
export const TABS = linkOptions([
  { to: "/projects/$id", name: "Overview" },
  { to: "/projects/$id/board", name: "Board" },
  { to: "/projects/$id/work", name: "Work" },
  { to: "/projects/$id/talk", name: "Talk" },
  { to: "/projects/$id/library", name: "Library" },
  { to: "/projects/$id/settings", name: "Settings" },
]);

export const LIBRARY = linkOptions([
  { to: "/projects/$id/library/memory", name: "Memory" },
  { to: "/projects/$id/library/knowledge", name: "Knowledge" },
  { to: "/projects/$id/library/skills", name: "Skills" },
  { to: "/projects/$id/library/artifacts", name: "Artifacts" },
  { to: "/projects/$id/library/context", name: "Context" },
]);

export const WORK = linkOptions([
  { to: "/projects/$id/work", name: "Runs" },
  { to: "/projects/$id/work/teams", name: "Teams" },
  { to: "/projects/$id/work/gates", name: "Gates" },
]);

export const SETTINGS = linkOptions([
  { to: "/projects/$id/settings", name: "General" },
  { to: "/projects/$id/settings/roles", name: "Roles" },
  { to: "/projects/$id/settings/gates", name: "Quality gates" },
  { to: "/projects/$id/settings/triggers", name: "Triggers" },
]);
