import { Center, Loader, Stack, Text } from "@mantine/core";
import { useEffect, useState } from "react";

const LONG_MS = 2_500;

/** A page is loading; after a while it says that this takes long. */
export function Loading() {
  const [isLong, setLong] = useState(false);
  useEffect(() => {
    const waiting = setTimeout(() => setLong(true), LONG_MS);
    return () => clearTimeout(waiting);
  }, []);
  return (
    <Center h="60vh">
      <Stack align="center" role="status">
        <Loader aria-label="Loading" />
        {isLong && <Text>This is taking longer than usual. We keep trying; your money is safe.</Text>}
      </Stack>
    </Center>
  );
}
