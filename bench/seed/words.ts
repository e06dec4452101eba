import { type RawBuilder, sql } from 'kysely'

export const LOOKS = [
  'Amber',
  'Autumn',
  'Breezy',
  'Coastal',
  'Copper',
  'Crimson',
  'Dawn',
  'Ember',
  'Festive',
  'Frosted',
  'Gentle',
  'Golden',
  'Harbour',
  'Indigo',
  'Ivory',
  'Jade',
  'Lively',
  'Meadow',
  'Misty',
  'Northern',
  'Quiet',
  'Rustic',
  'Silver',
  'Sunlit',
  'Velvet',
  'Winter',
]

export const MATERIALS = [
  'Ash',
  'Bamboo',
  'Brass',
  'Canvas',
  'Cedar',
  'Clay',
  'Cork',
  'Cotton',
  'Felt',
  'Glass',
  'Hemp',
  'Iron',
  'Leather',
  'Linen',
  'Marble',
  'Oak',
  'Paper',
  'Slate',
  'Stone',
  'Walnut',
]

/** A thing and its category. */
export const THINGS = [
  ['Lamp', 'Lamps'],
  ['Chair', 'Chairs'],
  ['Table', 'Tables'],
  ['Shelf', 'Shelves'],
  ['Bowl', 'Bowls'],
  ['Mug', 'Mugs'],
  ['Teapot', 'Teapots'],
  ['Basket', 'Baskets'],
  ['Blanket', 'Blankets'],
  ['Cushion', 'Cushions'],
  ['Backpack', 'Backpacks'],
  ['Notebook', 'Notebooks'],
  ['Planter', 'Planters'],
  ['Mirror', 'Mirrors'],
  ['Clock', 'Clocks'],
  ['Candle', 'Candles'],
  ['Apron', 'Aprons'],
  ['Tray', 'Trays'],
  ['Vase', 'Vases'],
  ['Kite', 'Kites'],
] as const

export const FIRST_NAMES = [
  'Aarav',
  'Amara',
  'Anna',
  'Chen',
  'Diego',
  'Elif',
  'Fatima',
  'Hiro',
  'Ines',
  'Jonas',
  'Kofi',
  'Leila',
  'Mateo',
  'Meera',
  'Nadia',
  'Olga',
  'Priya',
  'Ravi',
  'Sofia',
  'Tomas',
]

export const LAST_NAMES = [
  'Andersson',
  'Banerjee',
  'Costa',
  'Dubois',
  'Eze',
  'Fischer',
  'Garcia',
  'Haddad',
  'Ito',
  'Jensen',
  'Kowalski',
  'Lopez',
  'Mehta',
  'Novak',
  'Okafor',
  'Patel',
  'Rossi',
  'Silva',
  'Tanaka',
  'Weber',
]

/** A number from 0 to `sides` - 1 that looks random and is the same each time for the same row. */
export const hashed = (row: RawBuilder<unknown>, purpose: string, sides: RawBuilder<number>) =>
  sql<number>`(('x' || left(md5(${sql.lit(purpose)} || ${row}), 7))::bit(28)::integer % ${sides})`

/** One of the words, the same each time for the same row. */
export const oneOf = (words: readonly string[], row: RawBuilder<unknown>, purpose: string) => {
  const count = sql<number>`${sql.lit(words.length)}`
  const list = sql.join(words.map((word) => sql.lit(word)))
  return sql<string>`(array[${list}])[1 + ${hashed(row, purpose, count)}]`
}

/** A UUIDv7 of that moment, its random part made of the row. */
export const idAt = (moment: RawBuilder<Date>, row: RawBuilder<unknown>, purpose: string) => {
  const noise = sql`md5(${sql.lit(purpose)} || ${row})`
  const time = sql`lpad(to_hex((extract(epoch from ${moment}) * 1000)::bigint), 12, '0')`
  return sql<string>`(${time} || '7' || left(${noise}, 3) || '8' || substr(${noise}, 4, 15))::uuid`
}
