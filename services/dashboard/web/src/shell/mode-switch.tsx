import { SegmentedControl } from "@mantine/core";
import { useLocation, useNavigate } from "react-router";
import { useScope } from "../api/scope.ts";

/** Shows the same page in the other mode, without the filters and the record, which belong to this mode. */
export function ModeSwitch() {
  const { merchantId, mode } = useScope();
  const { pathname } = useLocation();
  const navigate = useNavigate();
  const [, , , , page = "", section = ""] = pathname.split("/");
  const keepsSection = page === "developers" || page === "settings";
  const go = (chosen: string) =>
    navigate(`/m/${merchantId}/${chosen}/${page}${keepsSection && section ? `/${section}` : ""}`.replace(/\/$/, ""));
  return (
    <SegmentedControl
      size="xs"
      value={mode}
      onChange={go}
      aria-label="Mode"
      data={[
        { value: "test", label: "Test" },
        { value: "live", label: "Live" },
      ]}
    />
  );
}
