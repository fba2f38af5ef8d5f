import { SegmentedControl } from "@mantine/core";
import { useLocation, useNavigate } from "react-router";
import { useScope } from "../api/scope.ts";

/** The same page in a mode, without the filters and the record, which belong to the other. */
export function pathInMode(pathname: string, mode: string): string {
  const [, , merchantId = "", , page = "", section = ""] = pathname.split("/");
  const keepsSection = page === "developers" || page === "settings";
  return `/m/${merchantId}/${mode}/${page}${keepsSection && section ? `/${section}` : ""}`.replace(/\/$/, "");
}

/** Shows the same page in the other mode. */
export function ModeSwitch() {
  const { mode } = useScope();
  const { pathname } = useLocation();
  const navigate = useNavigate();
  return (
    <SegmentedControl
      size="xs"
      value={mode}
      onChange={(chosen) => navigate(pathInMode(pathname, chosen))}
      aria-label="Mode"
      data={[
        { value: "test", label: "Test" },
        { value: "live", label: "Live" },
      ]}
    />
  );
}
