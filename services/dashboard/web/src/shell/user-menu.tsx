import { ActionIcon, Menu, useMantineColorScheme } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import {
  IconBuildingStore,
  IconLogout,
  IconMoon,
  IconPlus,
  IconShieldLock,
  IconSun,
  IconUserCircle,
} from "@tabler/icons-react";
import { useNavigate } from "react-router";
import { actPerson } from "../api/calls.ts";
import { messageOf } from "../api/problem.ts";
import { queryClient } from "../api/query-client.ts";
import { useScope } from "../api/scope.ts";

/** The signed-in user, their other businesses, and signing out. */
export function UserMenu() {
  const { me, merchantId, home } = useScope();
  const navigate = useNavigate();
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
  return (
    <Menu position="bottom-end" width={260}>
      <Menu.Target>
        <ActionIcon variant="default" size="lg" aria-label={`Account of ${me.user.name}`}>
          <IconUserCircle size={18} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{me.user.email}</Menu.Label>
        {me.merchants
          .filter(({ merchant_id }) => merchant_id !== merchantId)
          .map(({ merchant_id, name }) => (
            <Menu.Item
              key={merchant_id}
              leftSection={<IconBuildingStore size={16} aria-hidden />}
              onClick={() => navigate(`/m/${merchant_id}/test`)}
            >
              {name}
            </Menu.Item>
          ))}
        <Menu.Item leftSection={<IconPlus size={16} aria-hidden />} onClick={() => navigate("/new-business")}>
          Add a business
        </Menu.Item>
        <Menu.Divider />
        <Menu.Item
          leftSection={<IconShieldLock size={16} aria-hidden />}
          onClick={() => navigate(`${home}/settings/security`)}
        >
          Password and two-factor
        </Menu.Item>
        <Menu.Item
          leftSection={isDark ? <IconSun size={16} aria-hidden /> : <IconMoon size={16} aria-hidden />}
          onClick={() => setColorScheme(isDark ? "light" : "dark")}
        >
          {isDark ? "Light theme" : "Dark theme"}
        </Menu.Item>
        <Menu.Item leftSection={<IconLogout size={16} aria-hidden />} onClick={signOut}>
          Sign out
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
