import { Page } from "../../components/page.tsx";
import { AuditRows } from "../audit-rows.tsx";

/** The acts about every merchant and about none. */
export default function AuditPage() {
  return (
    <Page
      title="Audit log"
      lead="What operators, teams and keys did, newest first. Entries can't be changed or deleted."
    >
      <AuditRows />
    </Page>
  );
}
