alter table members validate constraint members_role_check;
alter table invitations validate constraint invitations_role_check;
