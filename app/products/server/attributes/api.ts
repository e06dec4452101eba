import { v7 as uuidv7 } from 'uuid'
import {
  type Attribute,
  type AttributeForm,
  type attributeCalls,
  MAX_ATTRIBUTES,
} from '#app/products/attribute-contract.ts'
import { PRODUCTS_TAG } from '#app/products/contract.ts'
import { ATTRIBUTES_TAG } from '#app/products/shown-attribute-contract.ts'
import { sorterOf } from '#app/settings/server/sorter.ts'
import { admin } from '#app/shared/server/actor/actor.ts'
import { publishChanges } from '#app/shared/server/cache/change-feed-store.ts'
import { isUniqueViolation } from '#app/shared/server/database-errors.ts'
import { conflict, invalid, notFound, stale } from '#app/shared/server/failure.ts'
import { inTransaction } from '#app/shared/server/in-transaction.ts'
import type { Handlers } from '#app/shared/server/mount.ts'
import type { Database } from '#db/schema.ts'
import { LIST_STALE_MS } from '../publish.ts'
import {
  type AttributeRow,
  CHOICE_TAKEN,
  countAttributes,
  deleteAttribute,
  insertAttribute,
  lockAttribute,
  NAME_TAKEN,
  replaceChoices,
  selectAttributes,
  updateAttribute,
} from './store.ts'
import { oneLine } from './values.ts'

const present = ({ id, is_filterable, updated_at, ...row }: AttributeRow): Attribute => ({
  _id: id,
  ...row,
  isFilterable: is_filterable,
  updatedAt: updated_at.toISOString(),
})

const noSuchAttribute = () => notFound('There is no such attribute.')

/** Pages of products show names and choices. Lists have their facets, those of products when the job has written them. */
const publish = (tx: Database) =>
  publishChanges(tx, [
    { tag: ATTRIBUTES_TAG, stale_ms: 0 },
    { tag: PRODUCTS_TAG, stale_ms: LIST_STALE_MS },
  ])

function rethrowTaken(error: unknown): never {
  if (isUniqueViolation(error, NAME_TAKEN))
    throw conflict('An attribute of this name already exists.', 'name')
  if (isUniqueViolation(error, CHOICE_TAKEN))
    throw invalid('Two choices have the same name.', 'choices')
  throw error
}

async function one(db: Database, id: string): Promise<Attribute> {
  const [row] = await selectAttributes(db, id)
  if (!row) throw noSuchAttribute()
  return present(row)
}

/** The sent choices; new ones get their ids. Throws `stale` for one that is no longer there. */
function choicesOf({ choices: sent }: Pick<AttributeForm, 'choices'>, existing: Set<string>) {
  return sent.map(({ _id, name }) => {
    const id = _id?.toLowerCase()
    if (id !== undefined && !existing.has(id))
      throw stale('A choice was removed in the meantime. Please load the attributes again.')
    return { _id: id ?? uuidv7(), name: oneLine(name) }
  })
}

const columnsOf = ({ name, unit, isFilterable }: Omit<AttributeForm, 'kind' | 'choices'>) => ({
  name: oneLine(name),
  unit: unit && oneLine(unit),
  is_filterable: isFilterable,
})

export const attributeHandlers = ({ db }: { db: Database }): Handlers<typeof attributeCalls> => ({
  async getAttributes() {
    const [sort, rows] = await Promise.all([sorterOf(db), selectAttributes(db)])
    return sort(rows).map(present)
  },
  async createAttribute({ body, caller }) {
    const attribute = await inTransaction(db, admin(caller), async (tx) => {
      if ((await countAttributes(tx)) >= MAX_ATTRIBUTES)
        throw conflict(`There are at most ${MAX_ATTRIBUTES} attributes.`)
      const id = uuidv7()
      await insertAttribute(tx, { id, kind: body.kind, ...columnsOf(body) })
      await replaceChoices(tx, id, choicesOf(body, new Set()))
      await publish(tx)
      return one(tx, id)
    }).catch(rethrowTaken)
    return { success: true, message: `${attribute.name} is created`, attribute }
  },
  async updateAttribute({ params, body, caller }) {
    const attribute = await inTransaction(db, admin(caller), async (tx) => {
      const locked = await lockAttribute(tx, params.id)
      if (!locked) throw noSuchAttribute()
      if (
        body.updatedAt !== undefined &&
        Date.parse(body.updatedAt) !== locked.updated_at.getTime()
      )
        throw stale('This attribute was changed in the meantime. Please load it again.')
      if (body.kind !== locked.kind)
        throw invalid('The kind of an attribute never changes.', 'kind')
      const { choices } = await one(tx, locked.id)
      await replaceChoices(tx, locked.id, choicesOf(body, new Set(choices.map(({ _id }) => _id))))
      await updateAttribute(tx, { id: locked.id, ...columnsOf(body) })
      await publish(tx)
      return one(tx, locked.id)
    }).catch(rethrowTaken)
    return { success: true, message: `${attribute.name} is saved`, attribute }
  },
  async deleteAttribute({ params, caller }) {
    await inTransaction(db, admin(caller), async (tx) => {
      if (!(await deleteAttribute(tx, params.id))) throw noSuchAttribute()
      await publish(tx)
    })
    return { success: true, message: 'The attribute is deleted' }
  },
})
