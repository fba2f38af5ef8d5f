import { Drawer } from "@mantine/core";
import type { ReactNode } from "react";
import { useLocation, useNavigate } from "react-router";
import { useTitle } from "./page.tsx";

/** One record beside its list, with its own URL; closing it returns to the list as it was. */
export function SidePanel({ title, list, children }: { title: string; list: string; children: ReactNode }) {
  const navigate = useNavigate();
  const { search, state } = useLocation();
  useTitle(title, "panel");
  const close = () => navigate(`${list}${search}`, { state });
  return (
    <Drawer
      opened
      onClose={close}
      position="right"
      size="lg"
      title={<strong>{title}</strong>}
      transitionProps={{ duration: 0 }}
    >
      {children}
    </Drawer>
  );
}
