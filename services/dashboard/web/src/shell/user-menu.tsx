import { ActionIcon, useMantineColorScheme } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import {
  IconBuildingStore,
  IconLogout,
  IconMoon,
  IconPlus,
  type IconProps,
  IconShieldLock,
  IconSun,
  IconUserCircle,
} from "@tabler/icons-react";
import { type ComponentType, type ReactNode, useRef } from "react";
import { useNavigate } from "react-router";
import { actPerson } from "../api/calls.ts";
import { messageOf } from "../api/problem.ts";
import { queryClient } from "../api/query-client.ts";
import { useScope } from "../api/scope.ts";

/** The signed-in user, their other businesses, and signing out. */
export function UserMenu() {
  const { me, merchantId, home } = useScope();
  const navigate = useNavigate();
  const menu = useRef<HTMLDivElement>(null);
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const isDark =
    colorScheme === "dark" || (colorScheme === "auto" && matchMedia("(prefers-color-scheme: dark)").matches);
  const signOut = async () => {
    try {
      await actPerson("auth/sign-out", {});
    } catch (error) {
      notifications.show({ color: "red", title: "You're still signed in", message: messageOf(error) });
      return;
    }
    queryClient.clear();
    navigate("/sign-in");
  };
  const act = (work: () => unknown) => () => {
    menu.current?.hidePopover();
    void work();
  };
  return (
    <>
      <ActionIcon variant="default" size="lg" popoverTarget={MENU} aria-label={`Account of ${me.user.name}`}>
        <IconUserCircle size={18} aria-hidden />
      </ActionIcon>
      <div className="person-menu" id={MENU} popover="auto" ref={menu}>
        <p title={me.user.email}>{me.user.email}</p>
        {me.merchants
          .filter(({ merchant_id }) => merchant_id !== merchantId)
          .map(({ merchant_id, name }) => (
            <Item key={merchant_id} icon={IconBuildingStore} onClick={act(() => navigate(`/m/${merchant_id}/test`))}>
              {name}
            </Item>
          ))}
        <Item icon={IconPlus} onClick={act(() => navigate("/new-business"))}>
          Add a business
        </Item>
        <hr />
        <Item icon={IconShieldLock} onClick={act(() => navigate(`${home}/settings/security`))}>
          Password and security
        </Item>
        <Item icon={isDark ? IconSun : IconMoon} onClick={act(() => setColorScheme(isDark ? "light" : "dark"))}>
          {isDark ? "Light theme" : "Dark theme"}
        </Item>
        <Item icon={IconLogout} onClick={act(signOut)}>
          Sign out
        </Item>
      </div>
    </>
  );
}

const MENU = "person-menu";

function Item(props: { icon: ComponentType<IconProps>; onClick: () => void; children: ReactNode }) {
  const { icon: Icon, onClick, children } = props;
  return (
    <button type="button" onClick={onClick}>
      <Icon size={16} aria-hidden />
      {children}
    </button>
  );
}
