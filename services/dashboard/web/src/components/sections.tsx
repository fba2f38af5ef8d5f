import { Tabs } from "@mantine/core";
import { Outlet, useLocation, useNavigate } from "react-router";
import { useScope } from "../api/scope.ts";

/** A page with tabs, each with its own URL: `[path, label]`. */
export function Sections({
  page,
  label,
  sections,
}: {
  page: string;
  label: string;
  sections: readonly (readonly [string, string])[];
}) {
  const { home } = useScope();
  const navigate = useNavigate();
  const { pathname } = useLocation();
  const section = pathname.split("/")[5] ?? sections[0]?.[0] ?? "";
  return (
    <Tabs value={section} onChange={(chosen) => navigate(`${home}/${page}/${chosen}`)}>
      <Tabs.List mb="md" aria-label={label} style={SCROLLED}>
        {sections.map(([path, name]) => (
          <Tabs.Tab key={path} value={path} ref={path === section ? showTab : null} style={{ flexShrink: 0 }}>
            {name}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      <Tabs.Panel value={section}>
        <Outlet />
      </Tabs.Panel>
    </Tabs>
  );
}

const SCROLLED = { flexWrap: "nowrap", overflowX: "auto", overflowY: "hidden" } as const;

/** Scrolls the tabs, which are wider than a phone, to the open one. */
function showTab(tab: HTMLElement | null): void {
  const list = tab?.parentElement;
  if (list) list.scrollLeft = tab.offsetLeft - (list.clientWidth - tab.clientWidth) / 2;
}
