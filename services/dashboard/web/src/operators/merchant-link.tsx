import { Anchor } from "@mantine/core";
import type { ReactNode } from "react";
import { Link } from "react-router";

/** Leads to a merchant's page, in the text's own size. */
export function MerchantLink({ id, children = id }: { id: string; children?: ReactNode }) {
  return (
    <Anchor component={Link} to={`/merchants/${encodeURIComponent(id)}`} inherit>
      {children}
    </Anchor>
  );
}
