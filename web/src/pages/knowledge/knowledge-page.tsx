import { Page } from "../../ui/page.tsx";
import { Knowledge } from "../project/knowledge/knowledge.tsx";

/** What holds for every project, and for those that are made later. */
export default function KnowledgePage() {
  return (
    <Page
      title="Knowledge"
      lead="Statements of the hall: agents of every project are told those that have to do with their task."
    >
      <Knowledge project={undefined} />
    </Page>
  );
}
