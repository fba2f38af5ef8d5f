import { ActionIcon, CopyButton, Group, Stack, Title } from "@mantine/core";
import { IconArrowsMaximize, IconCheck, IconChevronDown, IconChevronUp, IconLink, IconX } from "@tabler/icons-react";
import { type ReactNode, useEffect, useRef } from "react";
import { Link, useLocation, useNavigate, useOutletContext } from "react-router";
import { useKeys } from "./keys.ts";
import { useTitle } from "./page.tsx";
import { type RecordPlace, useListState } from "./record-place.ts";

const ALONE: RecordPlace = { isBeside: false };

/**
 * One record with its own URL, beside its list or as a page. J and K go on to the next and the previous one, Escape goes back to
 * its row in the list.
 */
export function RecordFrame({ title, list, children }: { title: string; list: string; children: ReactNode }) {
  const { isBeside, previous, next } = useOutletContext<RecordPlace | undefined>() ?? ALONE;
  const navigate = useNavigate();
  const { pathname, search } = useLocation();
  const { trail } = useListState();
  const focus = decodeURIComponent(pathname.split("/").at(-1) ?? "");
  const close = () => void navigate(`${list}${search}`, { state: { trail, focus } });
  useTitle(title, "panel");
  useKeys({ j: next, k: previous, Escape: close });
  const frame = useRef<HTMLDivElement>(null);
  // With each record anew.
  useEffect(() => frame.current?.focus({ preventScroll: true }), [pathname]);
  return (
    <Stack
      role="region"
      className="record"
      ref={frame}
      tabIndex={-1}
      aria-label={title}
      data-beside={isBeside || undefined}
    >
      <Group justify="space-between" wrap="nowrap" align="flex-start">
        <Title order={isBeside ? 2 : 1} size="h5" c="dimmed" className="record-title">
          {title}
        </Title>
        <Group gap={4} wrap="nowrap">
          {(previous || next) && (
            <>
              <Tool label="Previous (K)" onClick={previous} icon={IconChevronUp} />
              <Tool label="Next (J)" onClick={next} icon={IconChevronDown} />
            </>
          )}
          <CopyButton value={window.location.href}>
            {({ copied, copy }) => (
              <Tool label={copied ? "Link copied" : "Copy link"} onClick={copy} icon={copied ? IconCheck : IconLink} />
            )}
          </CopyButton>
          {isBeside && (
            <ActionIcon
              {...QUIET}
              component={Link}
              to={`${pathname}${search}`}
              state={{ trail }}
              aria-label="Open as a page"
              title="Open as a page"
            >
              <IconArrowsMaximize size={16} aria-hidden />
            </ActionIcon>
          )}
          <Tool label="Close" onClick={close} icon={IconX} />
        </Group>
      </Group>
      {children}
    </Stack>
  );
}

const QUIET = { variant: "subtle", color: "gray", size: "md" } as const;

function Tool(props: { label: string; onClick: (() => void) | undefined; icon: typeof IconX }) {
  const { label, onClick, icon: Icon } = props;
  return (
    <ActionIcon {...QUIET} aria-label={label} title={label} disabled={!onClick} onClick={onClick}>
      <Icon size={16} aria-hidden />
    </ActionIcon>
  );
}
