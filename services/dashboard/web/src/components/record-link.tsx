import { Anchor, Text } from "@mantine/core";
import type { ReactNode } from "react";
import { Link } from "react-router";
import { useScope } from "../api/scope.ts";

/** Links to another record or list of the same merchant and mode: `["sessions", reference]`. */
export function RecordLink(props: { to: string[]; search?: Record<string, string>; children: ReactNode }) {
  const { home } = useScope();
  const path = props.to.map(encodeURIComponent).join("/");
  const search = props.search ? `?${new URLSearchParams(props.search)}` : "";
  return (
    <Anchor component={Link} to={`${home}/${path}${search}`} inherit className="wrap-anywhere">
      {props.children}
    </Anchor>
  );
}

/** A reference in a monospace font. */
export function Reference({ children }: { children: string }) {
  return <bdi className="mono wrap-anywhere">{children}</bdi>;
}

/** A name in a row of a list, truncated so that the other columns stay visible. */
export function ListedName(props: { children: string | null | undefined; isNarrow?: boolean }) {
  const { children, isNarrow } = props;
  return (
    <Text
      span
      inherit
      truncate
      display="block"
      dir="auto"
      ta="left"
      maw={isNarrow ? 160 : 320}
      title={children ?? undefined}
    >
      {children ?? "–"}
    </Text>
  );
}

/** A person's name in any script; the text around it keeps its direction. */
export function Name({ children }: { children: string | null | undefined }) {
  return children ? <bdi dir="auto">{children}</bdi> : <span>–</span>;
}
