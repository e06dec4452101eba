import { categoryKey } from '#app/categories/server/service.ts'
import type { Database } from '#db/schema.ts'
import type { ImportRow, Problem } from './rows.ts'
import { type Listed, noteLines, selectLines, selectProductsBySlugs } from './store.ts'

type Facts = Omit<Listed, 'id'>
/** A new product; without a slug it will get one made of its name. */
export type Addition = Facts & { slug: string }
export type Change = Facts & { id: string }

/** What becomes of some rows. */
export type Plan = {
  additions: Addition[]
  changes: Change[]
  unchanged: number
  problems: Problem[]
}

/** What is known while a file is gone through. */
export type Known = {
  /** Ids by the names as they are compared. */
  categories: Map<string, string>
  /** Names of categories to create, by the names as they are compared; null where none may be. */
  missing: Map<string, string> | null
  /** The id under which the database knows which line has which product. */
  file: string
}

const SLUG = /^[a-z0-9]+(-[a-z0-9]+)*$/
const LONGEST_SLUG = 120

/** Where a category is only going to be created, the plan has no id of it yet. */
function categoryIdOf(name: string, { categories, missing }: Known): string | undefined {
  const key = categoryKey(name)
  const id = categories.get(key)
  if (id !== undefined || !missing) return id
  if (!missing.has(key)) missing.set(key, name)
  return ''
}

const NEEDED = ['name', 'description', 'price_minor', 'quantity', 'category'] as const

function reasonAgainstNew({ slug, ...row }: ImportRow): string | null {
  if (slug !== '' && (!SLUG.test(slug) || slug.length > LONGEST_SLUG))
    return 'slug may have only lower-case letters, digits and single hyphens between them.'
  const lacking = NEEDED.find((column) => row[column] === undefined)
  if (lacking) return `A new product needs a ${lacking.replace('_minor', '')}.`
  return null
}

type Described = { row: ImportRow; product: Listed | undefined }

/** What tells a product from others: its id or, of a new one, the slug, if it was given one. */
const keyOf = ({ row, product }: Described) => product?.id ?? row.slug

/** Notes which products the rows are about; the line that has each of them first. */
async function noteRows(db: Database, described: Described[], { file }: Known) {
  const keyed = described.filter((one) => keyOf(one) !== '')
  const lines = keyed.map((one) => ({ product: keyOf(one), line: one.row.line }))
  await noteLines(db, file, lines)
  return selectLines(
    db,
    file,
    lines.map(({ product }) => product),
  )
}

const FACTS = [
  ...(['name', 'description', 'price_minor', 'quantity', 'category_id'] as const),
  'shipping',
] as const

function place({ row, product }: Described, before: number, known: Known, plan: Plan) {
  const refuse = (reason: string) => plan.problems.push({ line: row.line, reason })
  if (before !== row.line) return refuse(`The same product is in line ${before} already.`)
  const reason = product ? null : reasonAgainstNew(row)
  if (reason) return refuse(reason)
  const { line: _line, slug, category, ...given } = row
  const category_id = category === undefined ? product?.category_id : categoryIdOf(category, known)
  if (category_id === undefined) return refuse(`There is no category "${category}".`)
  const blank = { name: '', description: '', price_minor: 0, quantity: 0, shipping: false }
  const facts = { ...blank, ...product, ...given, category_id }
  if (!product) plan.additions.push({ ...facts, slug })
  else if (FACTS.some((fact) => facts[fact] !== product[fact]))
    plan.changes.push({ ...facts, id: product.id })
  else plan.unchanged += 1
}

/**
 * Says what becomes of some rows: a slug that a product has, or ever had, changes that product;
 * another one, or none, is a new product.
 */
export async function planRows(
  db: Database,
  rows: (ImportRow | Problem)[],
  known: Known,
): Promise<Plan> {
  const problems = rows.filter((row) => 'reason' in row)
  const plan: Plan = { additions: [], changes: [], unchanged: 0, problems }
  const slugs = rows.flatMap((row) => ('slug' in row && row.slug !== '' ? [row.slug] : []))
  const products = new Map(
    (await selectProductsBySlugs(db, slugs)).map(({ asked, ...product }) => [asked, product]),
  )
  const described = rows.flatMap((row) =>
    'reason' in row ? [] : [{ row, product: products.get(row.slug) }],
  )
  const firsts = await noteRows(db, described, known)
  for (const one of described) place(one, firsts.get(keyOf(one)) ?? one.row.line, known, plan)
  plan.problems.sort((a, b) => a.line - b.line)
  return plan
}
