import { Group, Text } from "@mantine/core";
import { Copy } from "../../components/copy.tsx";
import { When } from "../../components/when.tsx";
import type { Key } from "./exposure-words.ts";

/** A key, masked unless it is public, with when it was created, last used, and stops working. */
export function KeyLine({ of: key }: { of: Key }) {
  return (
    <Group gap="lg" style={{ rowGap: 4 }}>
      {key.public_key ? (
        <Copy value={key.public_key} what="public key" />
      ) : (
        <span className="mono">
          {key.prefix}…{key.last_four}
        </span>
      )}
      <Text size="sm" c="dimmed">
        created <When at={key.created_at} />
        {key.made_by?.kind === "member" && ` by ${key.made_by.email}`} ·{" "}
        {key.last_used_at ? (
          <>
            last used <When at={key.last_used_at} />
          </>
        ) : (
          "never used"
        )}
        {key.expires_at && (
          <>
            {" "}
            · stops working <When at={key.expires_at} />
          </>
        )}
      </Text>
    </Group>
  );
}
