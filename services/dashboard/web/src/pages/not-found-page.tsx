import { Button } from "@mantine/core";
import { Link } from "react-router";
import { useScope } from "../api/scope.ts";
import { Page } from "../components/page.tsx";

/** An address under a merchant and mode that leads nowhere. */
export function NotFoundPage() {
  const { home } = useScope();
  return (
    <Page title="There is nothing here" lead="The address may be mistyped, or what was here is gone.">
      <Button component={Link} to={home} variant="default" w="fit-content">
        Go to Home
      </Button>
    </Page>
  );
}
