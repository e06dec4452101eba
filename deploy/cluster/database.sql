-- The role and the database of the shop. Once, on the primary:
--   sudo -u postgres psql -h /run/postgresql -v password=… -f database.sql
create role haat login password :'password';
-- The shop sets these on its connections, but behind PgBouncer they would reach whichever is next.
alter role haat set statement_timeout = '20s';
alter role haat set idle_in_transaction_session_timeout = '60s';
alter role haat set jit = off;
create database haat owner haat;
