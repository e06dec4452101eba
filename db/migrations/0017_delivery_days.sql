-- How long a delivery takes by a rate, in working days: from the least to the most, or nothing is said.
alter table shipping_rates
  add column least_days smallint,
  add column most_days smallint,
  add constraint shipping_rates_have_days check (
    num_nulls(least_days, most_days) in (0, 2)
    and least_days >= 0 and most_days >= least_days and most_days <= 60);
