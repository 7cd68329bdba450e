import type { Domain } from "../../contract/words/teams/team-words.ts";

/** Each with what a text of that domain says. The most words win, and the earlier of two with as many. */
const WORDS: readonly (readonly [Domain, RegExp])[] = [
  [
    "review",
    /\b(?:code review|review(?:s|ing)?|audit(?:s|ing)?|double-check|inspect(?:ion)?|sign off|verify the (?:change|diff|work))\b/g,
  ],
  [
    "ux_design",
    /\b(?:ux|ui design|user experience|wireframes?|mock-?ups?|prototypes?|design system|visual design|usability|user flows?|interaction design|typography|color palettes?|figma)\b/g,
  ],
  [
    "search",
    /\b(?:search (?:the|for|through)|find (?:all|every|where|out where|usages?)|locate|grep|look up|where is|list (?:all|every))\b/g,
  ],
  [
    "research",
    /\b(?:research|investigate|investigation|evaluate|compare|explore|feasibility|spike|analy[sz]e|survey|study)\b/g,
  ],
  [
    "frontend",
    /\b(?:front-?end|react|vue|svelte|angular|css|tailwind|html|components?|pages?|buttons?|forms?|dialogs?|modals?|browser|dom|layout|responsive|client-side|accessibility|tooltips?|navbar|sidebar)\b/g,
  ],
  [
    "backend",
    /\b(?:back-?end|servers?|api|apis|endpoints?|routes?|database|sql|migrations?|schema|queries|query|cache|queue|workers?|auth(?:entication|orization)?|tokens?|webhooks?|middleware|services?|emails?|storage|graphql|rest)\b/g,
  ],
];

/** The domain that a text is about; `other` where nothing tells. */
export function classifyDomain(text: string): Domain {
  const lower = text.toLowerCase();
  let best: Domain = "other";
  let most = 0;
  for (const [domain, words] of WORDS) {
    const found = new Set(lower.match(words)).size;
    if (found > most) [best, most] = [domain, found];
  }
  return best;
}
