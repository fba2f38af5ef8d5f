import { useNotifications } from "@mantine/notifications";
import { lazy, Suspense } from "react";

const ToastList = lazy(() => import("./toast-list.tsx"));

/** The messages at the corner of the window, loaded with the first one. */
export function Toasts() {
  const { notifications } = useNotifications();
  return <Suspense>{notifications.length > 0 && <ToastList />}</Suspense>;
}
