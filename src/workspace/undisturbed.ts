import { ChangedMeanwhile } from "../store/files/draft-file.ts";

/** Does work anew, on what is there then, as often as a person changes its file while it is being written. */
export async function untilUndisturbed<Result>(work: () => Promise<Result>): Promise<Result> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof ChangedMeanwhile)) throw error;
    }
  }
}
