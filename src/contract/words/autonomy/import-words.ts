import type { LeftOutReason } from "../../documents/autonomy/import.ts";

/** Why something was not imported. */
export const LEFT_OUT_WORDS: Readonly<Record<LeftOutReason, string>> = {
  secret: "may contain keys; set them with 'key set'",
  link: "a link, or it has several names",
  missing: "the file is missing",
  same_name: "another entry of this folder has the same name",
  too_large: "too large",
  too_many: "the folder has too many files",
  not_text: "not a text file",
  session: "conversations stay where they are",
  settings: "settings, hooks and servers are yours to set here",
  commands: "commands have no counterpart; a skill can do the same",
  daily_notes: "notes of a day",
  folder_not_named: "a working folder is used only when you name it",
  schedule: "a schedule without counterpart",
  read_in_place: "agents read it in the working folder",
  unknown: "not known to the import",
  no_project: "its project was not imported",
  refused: "refused",
};
