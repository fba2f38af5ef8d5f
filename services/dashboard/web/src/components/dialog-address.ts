import { useLocation, useNavigate } from "react-router";

/** A dialog with an address: `#create` at the end of its page's opens it, from anywhere. Used as `useDisclosure` is. */
export function useDialog(name: string): [isOpen: boolean, dialog: { open: () => void; close: () => void }] {
  const { pathname, search, hash, state } = useLocation();
  const navigate = useNavigate();
  const isOpen = hash === `#${name}`;
  const go = (to: string) => void navigate({ pathname, search, hash: to }, { replace: true, state });
  return [isOpen, { open: () => go(name), close: () => isOpen && go("") }];
}
