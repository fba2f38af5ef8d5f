import { Navigate, Route, Routes } from "react-router";
import { Sections } from "../components/sections.tsx";
import { DeliveriesPage } from "./deliveries/deliveries-page.tsx";
import { DeliveryPanel } from "./deliveries/delivery-panel.tsx";
import { EventPanel } from "./events/event-panel.tsx";
import { EventsPage } from "./events/events-page.tsx";
import { KeysPage } from "./keys/keys-page.tsx";
import { RequestPanel } from "./requests/request-panel.tsx";
import { RequestsPage } from "./requests/requests-page.tsx";
import { SandboxPage } from "./sandbox/sandbox-page.tsx";
import { VerifierPage } from "./verifier/verifier-page.tsx";
import { WebhookPage } from "./webhook/webhook-page.tsx";

/** In the order in which an integrator needs them. */
export const SECTIONS = [
  ["keys", "API keys"],
  ["webhook", "Webhook"],
  ["deliveries", "Deliveries"],
  ["events", "Events"],
  ["requests", "API requests"],
  ["verifier", "Verifier"],
  ["sandbox", "Sandbox"],
] as const;

export default function DeveloperPages() {
  return (
    <Routes>
      <Route element={<Sections page="developers" label="Developers" sections={SECTIONS} />}>
        <Route index element={<Navigate to="keys" replace />} />
        <Route path="keys" element={<KeysPage />} />
        <Route path="webhook" element={<WebhookPage />} />
        <Route path="deliveries" element={<DeliveriesPage />}>
          <Route path=":number" element={<DeliveryPanel />} />
        </Route>
        <Route path="events" element={<EventsPage />}>
          <Route path=":sequence" element={<EventPanel />} />
        </Route>
        <Route path="requests" element={<RequestsPage />}>
          <Route path=":id" element={<RequestPanel />} />
        </Route>
        <Route path="sandbox" element={<SandboxPage />} />
        <Route path="verifier" element={<VerifierPage />} />
        <Route path="*" element={<Navigate to="keys" replace />} />
      </Route>
    </Routes>
  );
}
