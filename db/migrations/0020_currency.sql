-- of the settings, which purchases read: the currency of the shop (ISO 4217)
alter table settings
  add column currency text generated always as (value ->> 'currencyDisplay') stored;
