-- The previous release takes a role that it does not know for an owner's: give the new ones only once every replica is replaced.
alter table members
  drop constraint members_role_check,
  add constraint members_role_check check (role in ('owner', 'finance', 'developer', 'support', 'viewer')) not valid;
alter table invitations
  drop constraint invitations_role_check,
  add constraint invitations_role_check check (role in ('owner', 'finance', 'developer', 'support', 'viewer')) not valid;
