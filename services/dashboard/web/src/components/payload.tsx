import { Group, SegmentedControl, Stack } from "@mantine/core";
import { useState } from "react";
import { Command } from "./copy.tsx";

/** JSON with line breaks, or as the bytes that were sent. What is no JSON is shown as it is. */
export function Payload({ text, what }: { text: string; what: string }) {
  const [form, setForm] = useState("pretty");
  const pretty = prettyOf(text);
  return (
    <Stack gap="xs">
      {pretty !== undefined && (
        <Group>
          <SegmentedControl
            size="xs"
            aria-label={`Format of the ${what}`}
            value={form}
            onChange={setForm}
            data={[
              { value: "pretty", label: "Pretty" },
              { value: "raw", label: "Raw" },
            ]}
          />
        </Group>
      )}
      <Command text={form === "pretty" && pretty !== undefined ? pretty : text} what={what} />
    </Stack>
  );
}

function prettyOf(text: string): string | undefined {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return undefined;
  }
}
