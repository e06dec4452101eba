-- Settings of the process that admins store, and legal texts.

-- Stored settings --------------------------------------------------------------------------------

-- Variables of the environment that admins set in the back office, such as SMTP_URL: encrypted with
-- AES-256-GCM by a key that the database does not have.
create table stored_settings (
  id uuid primary key default gen_random_uuid(),
  name text not null unique check (name ~ '^[A-Z][A-Z_]{2,60}$'),
  -- which key: a digest of it
  key_id text not null,
  nonce bytea not null check (octet_length(nonce) = 12),
  -- with the tag of 16 bytes
  sealed bytea not null check (octet_length(sealed) > 16),
  changed_at timestamptz not null default clock_timestamp()
);
create trigger audit after insert or update or delete on stored_settings
  for each row execute function write_audit_log('id', 'key_id', 'nonce', 'sealed');

-- each kind that the table has, and one more
do $$
declare
  present text := (select pg_get_constraintdef(oid) from pg_constraint
    where conrelid = 'emails'::regclass and conname = 'emails_kind_check');
begin
  alter table emails drop constraint emails_kind_check;
  execute 'alter table emails add constraint emails_kind_check '
    || replace(present, 'ARRAY[', 'ARRAY[''settings_changed''::text, ');
end
$$;


-- Legal texts ------------------------------------------------------------------------------------

-- Each version of the texts that buyers agree to and get with their order. Versions never change.
create table legal_texts (
  page text not null check (page in ('imprint', 'terms', 'returns', 'delivery')),
  version integer not null check (version > 0),
  text text not null,
  is_empty boolean not null generated always as (text !~ '\S') stored,
  created_at timestamptz not null default clock_timestamp(),
  primary key (page, version)
);

-- of the settings, which purchases read: the seller's country (ISO 3166-1), whose law decides
alter table settings
  add column country text generated always as (value ->> 'country') stored;

-- what the buyer agreed to when the payment was started: { "terms": 2 }; null: the client did not say
alter table payments
  add column agreed_texts jsonb,
  add column agreed_at timestamptz,
  add check ((agreed_texts is null) = (agreed_at is null));
