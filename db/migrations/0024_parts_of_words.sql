-- Words of scripts without blanks are found by their parts: searches and products have parts of two characters.

-- The same text with the parts of each run of characters of such a script: 東京限定 is 東京 京限 限定 定. Composed, so that
-- a part is what a reader sees as two characters.
create function parted(text) returns text language sql immutable
  return case
    when $1 ~ '[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u3007\u3040-\u30ff\u31f0-\u31ff\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]'
    then (
      select string_agg(
        case
          when not is_part then part
          when lead_is_part then part || next || ' '
          else part || ' '
        end, '' order by place)
      from (
        select part, place, is_part, lead(part) over following as next,
          coalesce(lead(is_part) over following, false) as lead_is_part
        from (
          select part, place,
            part ~ '[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u3007\u3040-\u30ff\u31f0-\u31ff\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]'
              as is_part
          from unnest(string_to_array(normalize($1, NFC), null)) with ordinality as characters (part, place)
        ) as classified
        window following as (order by place)
      ) as pairs)
    else $1 end;

create or replace function searched(text) returns text language sql immutable
  return parted(regexp_replace(folded($1), '[!-/:-@[-`{-~\u00a0-\u00bf\u2000-\u206f]+', ' ', 'g'));

-- the columns that are made of it
update products set name = name, description = description
where parted(name || description) <> name || description;
perform write_product_words(array(
  select distinct product_id from option_values join products on products.id = product_id
  where parted(products.name || option_values.name) <> products.name || option_values.name));
