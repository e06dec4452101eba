/** The choices of a list: filters, tabs, order and page, which its address contains. */
import type { BrowserEndpoint, Input } from '#app/shared/contract/endpoint.ts'
import { call } from '#app/shared/web/browser-call.ts'
import { type LoadArgs, loadOrLog, loadOrToast } from '#app/shared/web/load.ts'
import { pageOf } from '#app/shared/web/query.ts'

export type Option = { value: string; label: string }

/** Choices: a list, or labels by values. */
export type Options = readonly Option[] | Readonly<Record<string, string>>

export const optionsOf = (options: Options): readonly Option[] =>
  Array.isArray(options)
    ? options
    : Object.entries(options).map(([value, label]) => ({ value, label }))

/** A name of the API or the database as a label: `photo_version` is "Photo version". */
export const asLabel = (name: string) =>
  name.charAt(0).toUpperCase() + name.slice(1).replaceAll('_', ' ')

/** Links above the list; the option with the value '' is the whole list. */
export type Tabs = { name: string; kind: 'tabs'; options: Options }

export type Filter =
  | Tabs
  /** A select. */
  | { name: string; label: string; options: Options }
  /** A day in the shop's time zone. */
  | { name: string; label: string; kind: 'day' }
  /** An id, such as that of a customer, which only links choose. */
  | { name: string; label: string; kind: 'id' }

export const isTabs = (filter: Filter): filter is Tabs => 'kind' in filter && filter.kind === 'tabs'

/** The days from which and up to which entries are listed. */
export const DAYS: readonly Filter[] = [
  { name: 'from', label: 'From', kind: 'day' },
  { name: 'to', label: 'To', kind: 'day' },
]

function accepts(filter: Filter, value: string): boolean {
  if ('options' in filter) return optionsOf(filter.options).some((option) => option.value === value)
  return filter.kind === 'day' ? /^\d{4}-\d{2}-\d{2}$/.test(value) : /^[\w-]+$/.test(value)
}

/** The choices in an address, without page, order and unknown values. */
export const choicesIn = (search: URLSearchParams, filters: readonly Filter[]) =>
  ['q', ...filters.map(({ name }) => name)].flatMap((name): [string, string][] => {
    const value = search.get(name)?.trim() ?? ''
    const filter = filters.find((one) => one.name === name)
    return value !== '' && (!filter || accepts(filter, value)) ? [[name, value]] : []
  })

/**
 * The query of a list's call, made of the address of its page: page, order, text and filters. Unknown values
 * are left out, so `Query` is the type of the call's query.
 */
export function queryOf<Query>(url: string, filters: readonly Filter[]): Query {
  const search = new URL(url).searchParams
  const sort = search.get('sort')
  return {
    page: pageOf(search),
    ...(sort && /^-?\w+$/.test(sort) && { sort }),
    ...Object.fromEntries(choicesIn(search, filters)),
  } as Query
}

/**
 * Loads a list as its address says; `load` loads another page of it, for its CSV. A failure is shown as a toast,
 * or without a text only logged.
 */
export async function loadList<E extends BrowserEndpoint>(
  { request }: Pick<LoadArgs, 'request'>,
  endpoint: E,
  filters: readonly Filter[],
  failed?: string,
) {
  const query = queryOf<{ page: number }>(request.url, filters)
  const load = (page = query.page) =>
    call.counted<E>(endpoint, { query: { ...query, page } } as never)
  const found = await (failed === undefined ? loadOrLog(load()) : loadOrToast(load(), failed))
  const filter = Object.fromEntries(choicesIn(new URL(request.url).searchParams, filters))
  return {
    found: found && { ...found, filter },
    load,
    filters,
    query: query as Input<E>['query'],
  }
}

/** The address of the same list with other choices; '' takes one away. The list begins at its first page. */
export function withChoices(search: URLSearchParams, choices: Record<string, string>): string {
  const next = new URLSearchParams(search)
  next.delete('page')
  for (const [name, value] of Object.entries(choices)) {
    if (value === '') next.delete(name)
    else next.set(name, value)
  }
  return `?${next}`
}
