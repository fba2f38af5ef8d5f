import { Center, Loader } from "@mantine/core";

/** A page is on its way. */
export function Waiting() {
  return (
    <Center h="60vh">
      <Loader aria-label="Loading" />
    </Center>
  );
}
