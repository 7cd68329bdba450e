import { expect, it } from "vitest";
import { DOMAINS } from "../../contract/words/teams/team-words.ts";
import { classifyDomain } from "./classify-domain.ts";

it.each([
  ["Design a wireframe for the checkout, with a new color palette", "ux_design"],
  ["Add a dialog component with Tailwind to the page", "frontend"],
  ["Add an endpoint that stores tokens in the database", "backend"],
  ["Investigate and compare two payment providers", "research"],
  ["Find all usages of formatPrice, locate its callers", "search"],
  ["Code review of the payment change", "review"],
  ["Bump the version", "other"],
])("classifies a text into one of seven domains: %s [S1-RT-01] [S1-RT-02]", (text, domain) => {
  expect(DOMAINS).toHaveLength(7);
  expect(classifyDomain(text)).toBe(domain);
});
