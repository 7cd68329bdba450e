const PARTIES: Record<string, string> = { person: "you", main: "the main agent", hall: "Guildhall" };

/** Of `person`, `main`, `hall`, `run:<id>`, `project:<id>` or `client:<name>`. */
export function partyText(by: string): string {
  return PARTIES[by] ?? by.replace(/^run:/, "").replace(/^(project|client):/, "$1 ");
}

/** As the files of the knowledge say that a statement is a person's answer. */
export const BY_PERSON = "answered by person";

/** Where a statement comes from, for the person to read. */
export function originText(origin: string): string {
  return origin === BY_PERSON ? `answered by ${partyText("person")}` : origin;
}
