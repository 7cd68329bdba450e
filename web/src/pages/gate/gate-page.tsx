import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import type { GateReport } from "../../../../src/contract/documents/quality/gate.ts";
import { queries } from "../../api/queries.ts";
import { Page } from "../../ui/page.tsx";
import { ProjectName } from "../../ui/project-name.tsx";
import { Loaded, Loading } from "../../ui/states.tsx";
import { visibleLine } from "../../ui/text/visible-text.ts";
import { GateReportView } from "./gate-report.tsx";

export default function GatePage() {
  const { gateId } = useParams({ from: "/gates/$gateId" });
  const found = useQuery(queries.gate(gateId));
  const gate = found.data?.gate;
  return (
    <Page
      title={gate === undefined ? "Gate report" : visibleLine(gate.title)}
      lead={gate !== undefined && <Lead gate={gate} />}
    >
      <Loaded query={found} loading={<Loading lines={8} />}>
        {({ gate: report }) => <GateReportView key={report.id} gate={report} />}
      </Loaded>
    </Page>
  );
}

function Lead({ gate: { projectId, taskId } }: { gate: GateReport }) {
  return (
    <span className="mt-1 flex flex-wrap items-center gap-x-3">
      <span>Gate report</span>
      {projectId !== undefined && (
        <Link to="/projects/$id/work/gates" params={{ id: projectId }} className="hover:underline">
          <ProjectName id={projectId} />
        </Link>
      )}
      {projectId !== undefined && taskId !== undefined && (
        <Link to="/projects/$id/board" params={{ id: projectId }} search={{ task: taskId }} className="hover:underline">
          {taskId}
        </Link>
      )}
    </span>
  );
}
