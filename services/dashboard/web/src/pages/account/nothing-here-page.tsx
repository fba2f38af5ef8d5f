import { Button } from "@mantine/core";
import { Link } from "react-router";
import { AccountFrame } from "./account-frame.tsx";

export function NothingHerePage() {
  return (
    <AccountFrame title="Page not found" lead="The address may be wrong, or the page no longer exists.">
      <Button component={Link} to="/" size="md" variant="default">
        Go to your business
      </Button>
    </AccountFrame>
  );
}
