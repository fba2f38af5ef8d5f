import { Spotlight, type SpotlightActionData, spotlight } from "@mantine/spotlight";
import { IconSearch } from "@tabler/icons-react";
import { useEffect, useState } from "react";
import { useNavigate } from "react-router";
import { useScope } from "../api/scope.ts";
import { destinationsOf } from "./destinations.ts";
import { PAGES } from "./navigation.tsx";

/** Goes to any page by name and to any record by reference. */
export default function PaletteDialog({ presses }: { presses: number }) {
  const { home } = useScope();
  const navigate = useNavigate();
  const [typed, setTyped] = useState("");
  // Each press of the button opens it.
  useEffect(spotlight.open, [presses]);
  const pages: SpotlightActionData[] = PAGES.map(({ label, path, icon: Icon }) => ({
    id: label,
    label,
    leftSection: <Icon size={18} aria-hidden />,
    onClick: () => navigate(path ? `${home}/${path}` : home),
  }));
  const found = destinationsOf(typed.trim()).map(({ label, path }) => ({
    id: path,
    label,
    keywords: typed,
    leftSection: <IconSearch size={18} aria-hidden />,
    onClick: () => navigate(`${home}/${path}`),
  }));
  return (
    <Spotlight
      actions={[...pages, ...found]}
      query={typed}
      onQueryChange={setTyped}
      shortcut={["mod + K", "/"]}
      nothingFound="No results"
      scrollable
      maxHeight={420}
      searchProps={{
        leftSection: <IconSearch size={18} aria-hidden />,
        placeholder: "Go to a page or paste a reference",
        "aria-label": "Go to a page or paste a reference",
      }}
    />
  );
}
