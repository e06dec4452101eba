import type { FastifyRequest } from 'fastify'
import { LIST_PAGE_SIZE } from '../contract/fields.ts'
import { invalid, stale } from './failure.ts'
import type { ReplyHead } from './mount.ts'

/** The largest page number: beyond every list, and an offset that PostgreSQL accepts. */
const MAX_OFFSET = 1e15

/** The part of a list that a page shows. */
export type Slice = { limit: number; offset: number }

/** The part of a list on a page of this size. */
export const sliceOf = (page = 1, size = LIST_PAGE_SIZE): Slice => ({
  limit: size,
  offset: Math.min((page - 1) * size, MAX_OFFSET),
})

/** The ids of a page, and the total. */
export type ListPage = { ids: string[]; total: number }

type Ids = { id: string }[]

const idsOf = (rows: Ids) => rows.map(({ id }) => id)

/** The page of a list that is in memory. */
export const slicePage = (rows: Ids, { limit, offset }: Slice): ListPage => ({
  ids: idsOf(rows.slice(offset, offset + limit)),
  total: rows.length,
})

/**
 * The page of a long list, newest first. `select` starts at the nearer end of the list, because
 * skipped rows cost time. No query runs past the end.
 */
export async function selectPage(
  { limit, offset }: Slice,
  total: number,
  select: (direction: 'asc' | 'desc', slice: Slice) => Promise<Ids>,
): Promise<ListPage> {
  const rest = total - offset
  if (rest <= 0) return { ids: [], total }
  if (offset <= rest) return { ids: idsOf(await select('desc', { limit, offset })), total }
  const size = Math.min(limit, rest)
  const oldestFirst = await select('asc', { limit: size, offset: rest - size })
  return { ids: idsOf(oldestFirst).reverse(), total }
}

/**
 * Checks how many entries a filter selects. Throws `invalid` for more than `max`, and `stale` for another number
 * than was seen.
 */
export function checkSelected(selected: number, seen: number | undefined, max: number): void {
  if (selected > max)
    throw invalid(
      `At most ${max.toLocaleString('en-US')} can be changed at once. Filter the list.`,
      'selection',
    )
  if (seen !== undefined && selected !== seen)
    throw stale('The list has changed since it was loaded. Select again what to change.')
}

/** Pages past the end are not cached: there is an unlimited number of such URLs. */
export function refuseCachingPastEnd(reply: ReplyHead, page: number | undefined, found: unknown[]) {
  if (page !== undefined && page > 1 && found.length === 0)
    reply.header('cache-control', 'no-store')
}

/** Clients refuse headers of 16 KiB, and `Link` contains the URL up to four times. */
const MAX_LINKED_LENGTH = 2000

/** Paging headers of a bare array: `X-Total-Count` and `Link` (RFC 8288). */
export function setPagingHeaders(
  request: Pick<FastifyRequest, 'url'>,
  reply: ReplyHead,
  { page = 1, size = LIST_PAGE_SIZE, total }: { page?: number; size?: number; total: number },
) {
  reply.header('X-Total-Count', total)
  if (request.url.length > MAX_LINKED_LENGTH) return
  const last = Math.max(1, Math.ceil(total / size))
  const relations: [string, number][] = [
    ['first', 1],
    ['last', last],
  ]
  if (page > 1) relations.push(['prev', Math.min(page - 1, last)])
  if (page < last) relations.push(['next', page + 1])
  const link = ([relation, to]: [string, number]) => {
    const url = new URL(request.url, 'http://shop')
    url.searchParams.set('page', String(to))
    return `<${url.pathname}${url.search}>; rel="${relation}"`
  }
  reply.header('Link', relations.map(link).join(', '))
}
