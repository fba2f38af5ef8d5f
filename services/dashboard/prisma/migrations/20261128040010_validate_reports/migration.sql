alter table members validate constraint members_report_check;
