import { Alert } from "@mantine/core";

/** Which services did not answer: what they know is missing below. */
export function Silent({ services }: { services: string[] }) {
  if (services.length === 0) return null;
  return (
    <Alert color="red" role="alert" title="Not everything could be read">
      No answer from {services.join(", ")}.
    </Alert>
  );
}
