import { Anchor } from "@mantine/core";
import { Link, useSearchParams } from "react-router";
import { Page } from "../../components/page.tsx";
import { AuditRows } from "../audit-rows.tsx";

/** The acts about every merchant and about none, or about the one in the address. */
export default function AuditPage() {
  const [params] = useSearchParams();
  const merchant = params.get("merchant_id") ?? undefined;
  return (
    <Page
      title="Audit log"
      lead="What operators, teams and keys did, newest first. Entries can't be changed or deleted."
      actions={
        merchant && (
          <Anchor component={Link} to="/audit">
            About all merchants
          </Anchor>
        )
      }
    >
      <AuditRows merchant={merchant} after={params.get("after") ?? ""} />
    </Page>
  );
}
