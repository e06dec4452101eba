import type { Row } from '#db/schema.ts'
import type { Category } from '../contract.ts'

/** A category as the API returns it. */
export const presentCategory = ({
  id,
  name,
  slug,
}: Pick<Row<'categories'>, 'id' | 'name' | 'slug'>): Category => ({ _id: id, name, slug })
