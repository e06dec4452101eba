-- Where an account has signed in: what strangers guess elsewhere does not slow its owner down there.
-- A network is kept as a keyed hash, so that a list of these tells nobody's address.
create table known_networks (
  user_id uuid not null references users (id) on delete cascade,
  network bytea not null check (octet_length(network) = 32),
  seen_at timestamptz not null default now(),
  primary key (user_id, network)
);
create index known_networks_seen on known_networks (seen_at);

-- Counters of limits that several worker processes share, in the shape of rate-limiter-flexible.
-- A crash of the server may empty it.
create unlogged table rate_limits (
  key varchar(255) primary key,
  points integer not null default 0,
  expire bigint
);
