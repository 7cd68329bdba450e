import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { runLine } from "../../../../src/contract/runs/run-line.ts";
import { queries } from "../../api/queries.ts";
import { plural } from "../../ui/figures.tsx";

/** How much a result changes, and the way to see it before deciding. */
export function ChangedFiles({ runId }: { runId: string }) {
  const run = useQuery(queries.run(runId)).data?.run;
  const { files, additions = 0, deletions = 0 } = (run && runLine(run).delivery) ?? {};
  return (
    <p className="min-h-6 text-sm">
      <Link to="/runs/$runId" params={{ runId }} search={{ view: "changes" }} className="text-accent underline">
        {files === undefined ? "Changed files" : plural(files, "changed file")}
      </Link>
      {files !== undefined && (
        <>
          {" "}
          <span className="text-good">+{additions}</span> <span className="text-bad">−{deletions}</span>
        </>
      )}
    </p>
  );
}
