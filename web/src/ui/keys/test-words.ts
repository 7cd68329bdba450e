import type { ProviderTest, ProviderTestState } from "../../../../src/contract/routes/model-routes.ts";
import type { Tone } from "../badge.tsx";

interface Verdict {
  tone: Tone;
  text: string;
}

/** What became of testing a provider, for the person. */
export function testWords(provider: string, { state, model = "", ms = 0, models, detail }: ProviderTest): Verdict {
  const name = `${provider}/${model}`;
  const count = models.length === 0 ? "" : ` ${models.length} model${models.length === 1 ? "" : "s"} available.`;
  const told = detail === undefined ? "" : ` ${detail}`;
  const words: Record<ProviderTestState, Verdict> = {
    works: { tone: "good", text: `${name} answered in ${Math.round(ms)} ms.${count}` },
    rejected: { tone: "bad", text: `The provider rejected the key.${told}` },
    no_credit: { tone: "warn", text: `The key is valid, but the account has no credit left.${told}` },
    busy: { tone: "warn", text: `The key is valid, but the provider is overloaded.${told}` },
    over_budget: { tone: "warn", text: "The key is valid. No model was tested because the budget is used up." },
    model_missing: { tone: "warn", text: `The key is valid, but ${name} is not available.${told}` },
    no_model: { tone: "warn", text: "The server doesn't list its models. Enter one." },
    refused: { tone: "warn", text: `The provider refused the test request.${told}` },
    unreachable: { tone: "bad", text: `Couldn't reach the provider.${told}` },
  };
  return words[state];
}
