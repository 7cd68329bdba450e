/** Why a page is not fetched, in words for the agent that asked. */
export class WebRefusal extends Error {
  override readonly name = "WebRefusal";
}
