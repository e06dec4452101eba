-- A session ends after a while without a call, which moves expires_at, and at last in any case: after
-- thirty days, counted in hours, which are as long in every time zone.
alter table sessions add constraint sessions_end_at_last
  check (expires_at <= created_at + interval '720 hours');
