-- All networks of the buyer's address, narrowest first (IPv6: /64, /56, /48), beside the widest, for a day. The
-- column network has the widest from now on: a /48 of IPv6 may belong to one customer.
alter table payments add column networks text[];
