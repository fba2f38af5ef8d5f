import { CloseButton, Modal, TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { IconSearch } from "@tabler/icons-react";
import { type KeyboardEvent, useEffect, useId, useState } from "react";
import { useLocation } from "react-router";
import { useRead } from "../api/hooks.ts";
import { messageOf } from "../api/problem.ts";
import { useScope } from "../api/scope.ts";
import { pathInMode } from "./mode-switch.tsx";
import { PaletteOptions } from "./palette-list.tsx";
import {
  lookUpGroup,
  type Option,
  type OptionGroup,
  pageGroups,
  recordGroups,
  unansweredOf,
} from "./palette-options.ts";
import "./command-palette.css";

type Palette = { recent: Option[]; onChoose: (option: Option) => void; onDismiss: () => void };

/** The dialog of the command palette, over whatever is open: that stays as it is when this is dismissed. */
export default function PaletteDialog({ opened, ...palette }: Palette & { opened: boolean }) {
  return (
    <Modal.Root
      opened={opened}
      onClose={palette.onDismiss}
      returnFocus={false}
      size="lg"
      yOffset="10dvh"
      zIndex={300}
      transitionProps={{ duration: 0 }}
    >
      <Modal.Overlay />
      <Modal.Content aria-label="Search" className="palette">
        <Modal.Body p={0}>
          <Palette {...palette} />
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  );
}

/** With the first key that is typed, and not a moment later. */
const focusAtOnce = (field: HTMLInputElement | null) => field?.focus();

/** Escape closes this dialog and not the one below, which would hear it too. */
const STOP_ESCAPE = { "data-mantine-stop-propagation": "true" };

/** A combobox: the focus stays in the field, and the arrow keys move through the options. */
function Palette({ recent, onChoose, onDismiss }: Palette) {
  const [text, setText] = useState("");
  const [activeTo, setActiveTo] = useState<string>();
  const [isGoing, setGoing] = useState(false);
  const id = useId();
  const { groups, notice, isCurrent, searchAgain } = usePaletteSearch(text.trim().replace(/\s+/g, " "), recent);
  const options = groups.flatMap((group) => group.options);
  const active = options.find(({ to }) => to === activeTo) ?? options[0];

  // Enter waits for what is being searched, so that it never opens what an earlier text found, or what is left if a service is away.
  useEffect(() => {
    if (!isGoing || !isCurrent) return;
    setGoing(false);
    if (active && !notice) onChoose(active);
  }, [isGoing, isCurrent, active, notice, onChoose]);

  const type = (typed: string) => {
    setText(typed);
    setActiveTo(undefined);
    setGoing(false);
  };
  const move = (step: number) => {
    const next = (options.findIndex(({ to }) => to === active?.to) + step + options.length) % options.length;
    setActiveTo(options[next]?.to);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const enter = () => (isCurrent && active ? onChoose(active) : setGoing(true));
    const act = { ArrowDown: () => move(1), ArrowUp: () => move(-1), Enter: enter, Escape: onDismiss }[event.key];
    if (!act || event.nativeEvent.isComposing) return;
    event.preventDefault();
    act();
  };
  const escapes = { ...STOP_ESCAPE, onKeyDown: ({ key }: KeyboardEvent) => key === "Escape" && onDismiss() };
  return (
    <>
      <TextInput
        size="md"
        variant="unstyled"
        placeholder="Amount, name, reference, account, email…"
        role="combobox"
        aria-label="Search records, pages and actions"
        aria-expanded
        aria-controls={`${id}-list`}
        aria-autocomplete="list"
        aria-activedescendant={active && `${id}-${options.indexOf(active)}`}
        autoComplete="off"
        spellCheck={false}
        maxLength={100}
        ref={focusAtOnce}
        data-autofocus
        {...STOP_ESCAPE}
        leftSection={<IconSearch size={18} aria-hidden />}
        rightSection={<CloseButton aria-label="Close" onClick={onDismiss} {...escapes} />}
        value={text}
        onChange={(event) => type(event.currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      <PaletteOptions
        id={id}
        groups={groups}
        isBusy={!isCurrent}
        active={active}
        onActive={({ to }) => setActiveTo(to)}
        onChoose={onChoose}
      />
      <div className="palette-notice" role="status">
        {notice ?? (isCurrent && options.length === 0 ? `Nothing found for “${text.trim()}”` : "")}
        {searchAgain && (
          <button type="button" className="palette-again" onClick={searchAgain} {...escapes}>
            Search again
          </button>
        )}
      </div>
    </>
  );
}

/** A single letter names too much. */
const LENGTH_MIN = 2;
const DEBOUNCE_MS = 150;

type Search = { groups: OptionGroup[]; notice?: string | undefined; isCurrent: boolean; searchAgain?: () => void };

function usePaletteSearch(text: string, recent: Option[]): Search {
  const scope = useScope();
  const { pathname } = useLocation();
  const [settled] = useDebouncedValue(text, DEBOUNCE_MS);
  const isLong = text.length >= LENGTH_MIN;
  const { data, error, isPlaceholderData, refetch } = useRead(
    "search",
    { text: settled },
    { enabled: isLong && settled.length >= LENGTH_MIN },
  );
  const otherMode = pathInMode(pathname, scope.mode === "test" ? "live" : "test");
  const named = pageGroups(text, {
    may: (permission) => scope.permissions.includes(permission),
    mode: scope.mode,
    otherMode,
  });
  if (!isLong) {
    const groups = text === "" ? [{ name: "Recent", options: recent }, ...named] : [...named, lookUpGroup(text)];
    return { groups: filled(groups), isCurrent: true };
  }
  const isAnswered = settled === text && !isPlaceholderData && (data !== undefined || error !== null);
  const found = error ? undefined : data;
  const groups = filled([...(found ? recordGroups(found) : []), ...named, lookUpGroup(text)]);
  const unanswered = found && unansweredOf(found);
  const notice = error
    ? `Records can't be searched right now. ${messageOf(error)}`
    : unanswered && `We couldn't search ${unanswered} in time. Search again to include them.`;
  return { groups, notice, isCurrent: isAnswered, ...(notice && { searchAgain: () => void refetch() }) };
}

const filled = (groups: OptionGroup[]) => groups.filter(({ options }) => options.length > 0);
