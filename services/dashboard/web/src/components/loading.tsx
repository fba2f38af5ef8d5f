import { Center, Loader } from "@mantine/core";

/** A page is loading. */
export function Loading() {
  return (
    <Center h="60vh">
      <Loader aria-label="Loading" />
    </Center>
  );
}
