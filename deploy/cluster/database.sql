-- The role and the database of the shop. Once, on the primary:
--   runuser -u postgres -- psql -h /run/postgresql -v password=… -f database.sql
create role haat login password :'password';
-- The shop sets these on its connections, but behind PgBouncer they would reach whichever is next.
-- statement_timeout must be above wal_sender_timeout + loop_wait of patroni.yml (15 s): a commit whose wait for a
-- replica is cancelled is answered as done, and lost with the primary.
alter role haat set statement_timeout = '20s';
alter role haat set idle_in_transaction_session_timeout = '60s';
alter role haat set jit = off;
create database haat owner haat;
