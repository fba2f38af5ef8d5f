import { Button } from "@mantine/core";
import { Link } from "react-router";
import { useScope } from "../api/scope.ts";
import { Page } from "../components/page.tsx";

/** An unknown URL under a merchant and mode. */
export function NotFoundPage() {
  const { home } = useScope();
  return (
    <Page title="Page not found" lead="The address may be wrong, or the page no longer exists.">
      <Button component={Link} to={home} variant="default" w="fit-content">
        Go to Home
      </Button>
    </Page>
  );
}
