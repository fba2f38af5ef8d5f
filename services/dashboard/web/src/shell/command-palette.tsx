import { ActionIcon, Button } from "@mantine/core";
import { Spotlight, type SpotlightActionData, spotlight } from "@mantine/spotlight";
import { IconSearch } from "@tabler/icons-react";
import { useState } from "react";
import { useNavigate } from "react-router";
import { useScope } from "../api/scope.ts";
import { ROOMS } from "./navigation.tsx";

/** Goes anywhere by name, and finds any record by its reference. */
export function CommandPalette() {
  const { home } = useScope();
  const navigate = useNavigate();
  const [typed, setTyped] = useState("");
  const rooms: SpotlightActionData[] = ROOMS.map(({ label, path, icon: Icon }) => ({
    id: label,
    label,
    leftSection: <Icon size={18} aria-hidden />,
    onClick: () => navigate(path ? `${home}/${path}` : home),
  }));
  const found = placesOf(typed.trim()).map(({ label, path }) => ({
    id: path,
    label,
    keywords: typed,
    leftSection: <IconSearch size={18} aria-hidden />,
    onClick: () => navigate(`${home}/${path}`),
  }));
  return (
    <Spotlight
      actions={[...rooms, ...found]}
      query={typed}
      onQueryChange={setTyped}
      shortcut={["mod + K", "/"]}
      nothingFound="Nothing by this name"
      scrollable
      maxHeight={420}
      searchProps={{
        leftSection: <IconSearch size={18} aria-hidden />,
        placeholder: "Go to a page, or paste any reference",
        "aria-label": "Go to a page, or paste any reference",
      }}
    />
  );
}

export function CommandPaletteButton() {
  return (
    <>
      <Button
        visibleFrom="md"
        variant="default"
        size="xs"
        leftSection={<IconSearch size={14} aria-hidden />}
        onClick={spotlight.open}
      >
        Search or go to… Ctrl K
      </Button>
      <ActionIcon hiddenFrom="md" variant="default" size="lg" onClick={spotlight.open} aria-label="Search or go to">
        <IconSearch size={16} aria-hidden />
      </ActionIcon>
    </>
  );
}

type Place = { label: string; path: string };

const NUMBER = /^[0-9]{1,15}$/;
const REQUEST_ID = /^(req_.+|[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f-]{4,})$/i;
const LINK_SLUG = /^(?![0-9]+$)[1-9A-HJ-NP-Za-km-z]{10}$/;

/** Where something of this form may be: references say what they are, anything else is looked for where it could be. */
function placesOf(typed: string): Place[] {
  const numbered = NUMBER.test(typed)
    ? [
        { label: `Open delivery ${typed}`, path: `developers/deliveries/${typed}` },
        { label: `Open event ${typed}`, path: `developers/events/${typed}` },
      ]
    : [];
  if (typed.length < 3) return numbered;
  const exact = encodeURIComponent(typed);
  if (/^trf_/.test(typed)) return [{ label: `Open transfer ${typed}`, path: `transfers/${exact}` }];
  if (/^col_/.test(typed)) return [{ label: `Open collection ${typed}`, path: `collections/${exact}` }];
  if (/^pay_/.test(typed)) {
    return [
      { label: `Open session ${typed}`, path: `sessions/${exact}` },
      { label: `Open collection ${typed}`, path: `collections/${exact}` },
    ];
  }
  if (/^stl_/.test(typed)) return [{ label: `Open settlement ${typed}`, path: `settlements/${exact}` }];
  const search = `?search=${exact}`;
  const requests = { label: `API requests with “${typed}”`, path: `developers/requests${search}` };
  if (REQUEST_ID.test(typed)) return [requests];
  return [
    ...numbered,
    { label: `Collections with “${typed}”`, path: `collections${search}` },
    { label: `Customers with “${typed}”`, path: `customers${search}` },
    { label: `Sessions with “${typed}”`, path: `sessions${search}` },
    { label: `Transfers with “${typed}”`, path: `transfers${search}` },
    { label: `Events with “${typed}”`, path: `developers/events${search}` },
    { label: `Deliveries with “${typed}”`, path: `developers/deliveries${search}` },
    requests,
    ...(LINK_SLUG.test(typed) ? [{ label: `Open link ${typed}`, path: `links/${exact}` }] : []),
  ];
}
