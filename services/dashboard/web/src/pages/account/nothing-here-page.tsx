import { Button } from "@mantine/core";
import { Link } from "react-router";
import { AccountFrame } from "./account-frame.tsx";

export function NothingHerePage() {
  return (
    <AccountFrame title="There is nothing here" lead="The address may be mistyped, or what was here is gone.">
      <Button component={Link} to="/" size="md" variant="default">
        Go to your business
      </Button>
    </AccountFrame>
  );
}
