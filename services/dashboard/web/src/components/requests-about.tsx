import { RecordLink } from "./record-link.tsx";

/** The API requests whose response was about a record. */
export function RequestsAbout({ reference }: { reference: string }) {
  return (
    <RecordLink to={["developers", "requests"]} search={{ search: reference }}>
      Last 7 days
    </RecordLink>
  );
}
