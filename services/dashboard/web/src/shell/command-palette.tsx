import { ActionIcon, Button } from "@mantine/core";
import { useHotkeys } from "@mantine/hooks";
import { IconSearch } from "@tabler/icons-react";
import { lazy, Suspense, useState } from "react";

const PaletteDialog = lazy(() => import("./palette-dialog.tsx"));

/** Opens the command palette, which is loaded at the first press of the button or its keys, and has the keys from then on. */
export function CommandPalette() {
  const [presses, setPresses] = useState(0);
  const open = () => setPresses((before) => before + 1);
  useHotkeys(presses > 0 ? [] : ["mod + K", "/"].map((keys) => [keys, open]));
  return (
    <>
      <Button
        visibleFrom="md"
        variant="default"
        size="xs"
        leftSection={<IconSearch size={14} aria-hidden />}
        onClick={open}
      >
        Search or go to… Ctrl K
      </Button>
      <ActionIcon hiddenFrom="md" variant="default" size="lg" onClick={open} aria-label="Search or go to">
        <IconSearch size={16} aria-hidden />
      </ActionIcon>
      <Suspense>{presses > 0 && <PaletteDialog presses={presses} />}</Suspense>
    </>
  );
}
