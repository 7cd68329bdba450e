import { Page } from "../../ui/page.tsx";
import { Knowledge } from "../project/knowledge/knowledge.tsx";

/** What holds for every project, and for those that are made later. */
export default function KnowledgePage() {
  return (
    <Page title="Knowledge" lead="Shared by all projects. Agents get the entries relevant to their task.">
      <Knowledge project={undefined} />
    </Page>
  );
}
