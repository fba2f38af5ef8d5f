import { ActionIcon, Button } from "@mantine/core";
import { useHotkeys } from "@mantine/hooks";
import { IconSearch } from "@tabler/icons-react";
import { lazy, Suspense, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { useNavigate } from "react-router";
import { useScope } from "../api/scope.ts";
import type { Option } from "./palette-options.ts";

/** Loaded when it is opened for the first time. */
const PaletteDialog = lazy(() => import("./palette-dialog.tsx"));

const RECENT_MAX = 5;

/** Finds any record, page or action: Ctrl K anywhere, or / outside of fields. What was opened from it is forgotten with the page. */
export function CommandPalette() {
  const { home } = useScope();
  const navigate = useNavigate();
  const [isOpen, setOpen] = useState(false);
  const [isLoaded, setLoaded] = useState(false);
  const opener = useRef<Element>(null);
  const [recent, setRecent] = useState<Option[]>([]);
  const open = () => {
    if (isOpen) return;
    opener.current = document.activeElement;
    setLoaded(true);
    setOpen(true);
  };
  const dismiss = () => {
    flushSync(() => setOpen(false));
    if (opener.current instanceof HTMLElement) opener.current.focus({ preventScroll: true });
  };
  useHotkeys([["mod+K", open]], [], true);
  useHotkeys([["/", open]]);
  const choose = (option: Option) => {
    setOpen(false);
    if (option.details) setRecent((old) => [option, ...old.filter(({ to }) => to !== option.to)].slice(0, RECENT_MAX));
    navigate(option.to.startsWith("/") ? option.to : `${home}/${option.to}`.replace(/\/$/, ""));
  };
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
      <Suspense>
        {isLoaded && <PaletteDialog opened={isOpen} recent={recent} onChoose={choose} onDismiss={dismiss} />}
      </Suspense>
    </>
  );
}
