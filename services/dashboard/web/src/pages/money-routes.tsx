import { Route, Routes } from "react-router";
import { CollectionPanel } from "./collections/collection-panel.tsx";
import { CollectionsPage } from "./collections/collections-page.tsx";
import { CustomerPanel } from "./customers/customer-panel.tsx";
import { CustomersPage } from "./customers/customers-page.tsx";
import { LinkPanel } from "./links/link-panel.tsx";
import { LinksPage } from "./links/links-page.tsx";
import { NotFoundPage } from "./not-found-page.tsx";
import { PayerPanel } from "./payers/payer-panel.tsx";
import { PayersPage } from "./payers/payers-page.tsx";
import { SessionPanel } from "./sessions/session-panel.tsx";
import { SessionsPage } from "./sessions/sessions-page.tsx";
import { SettlementPanel } from "./settlements/settlement-panel.tsx";
import { SettlementsPage } from "./settlements/settlements-page.tsx";
import { StatementsPage } from "./statements/statements-page.tsx";
import { BatchPage } from "./transfers/bulk/batch-page.tsx";
import { BulkPage } from "./transfers/bulk/bulk-page.tsx";
import { TransferPanel } from "./transfers/transfer-panel.tsx";
import { TransfersPage } from "./transfers/transfers-page.tsx";

/** The routes of the money lists, each with its record's panel below it. */
export default function MoneyPages() {
  return (
    <Routes>
      <Route path="collections" element={<CollectionsPage />}>
        <Route path=":reference" element={<CollectionPanel />} />
      </Route>
      <Route path="customers" element={<CustomersPage />}>
        <Route path=":reference" element={<CustomerPanel />} />
      </Route>
      <Route path="payers" element={<PayersPage />}>
        <Route path=":reference" element={<PayerPanel />} />
      </Route>
      <Route path="sessions" element={<SessionsPage />}>
        <Route path=":reference" element={<SessionPanel />} />
      </Route>
      <Route path="links" element={<LinksPage />}>
        <Route path=":reference" element={<LinkPanel />} />
      </Route>
      <Route path="transfers/bulk" element={<BulkPage />} />
      <Route path="transfers/bulk/:reference" element={<BatchPage />} />
      <Route path="transfers" element={<TransfersPage />}>
        <Route path=":reference" element={<TransferPanel />} />
      </Route>
      <Route path="settlements" element={<SettlementsPage />}>
        <Route path=":reference" element={<SettlementPanel />} />
      </Route>
      <Route path="statements" element={<StatementsPage />} />
      <Route path="*" element={<NotFoundPage />} />
    </Routes>
  );
}
