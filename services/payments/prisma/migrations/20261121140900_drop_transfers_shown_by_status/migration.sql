-- Its list has another index by now. Alone in its migration, so that it goes without keeping anybody from writing.
drop index concurrently transfers_shown_by_status_idx;
