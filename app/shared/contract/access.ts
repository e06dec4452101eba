/** Access to the API. One table says which callers pass each level, and what the others get (spec §6). */

/** Kinds of accounts, which a session identifies. */
export const ACCOUNT_KINDS = ['user', 'admin'] as const
export type AccountKind = (typeof ACCOUNT_KINDS)[number]

/** Kinds of callers, in the order of their rights. A guest has no valid session. */
export const CALLER_KINDS = ['guest', ...ACCOUNT_KINDS] as const
export type CallerKind = (typeof CALLER_KINDS)[number]

/** Statuses of the refusals. */
export const REFUSALS = { 'log in first': 401, 'admins only': 403 } as const
export type Refusal = keyof typeof REFUSALS

/** What each kind of caller gets at each access level. A new level or kind states it for every pair. */
export const ACCESS = {
  public: { guest: 'passes', user: 'passes', admin: 'passes' },
  user: { guest: 'log in first', user: 'passes', admin: 'passes' },
  admin: { guest: 'log in first', user: 'admins only', admin: 'passes' },
} as const satisfies Record<string, Record<CallerKind, Refusal | 'passes'>>
export type Access = keyof typeof ACCESS

/** Levels that a caller without a session passes. */
export type OpenAccess = {
  [Level in Access]: (typeof ACCESS)[Level]['guest'] extends 'passes' ? Level : never
}[Access]

/** The refusal that a kind of caller gets at a level; null where it passes. */
export function refusalOf(access: Access, kind: CallerKind): Refusal | null {
  const decision = ACCESS[access][kind]
  return decision === 'passes' ? null : decision
}

/** The statuses that a level answers, by the kinds of callers that it refuses. */
export const refusalsOf = (access: Access): { kind: CallerKind; status: number }[] =>
  CALLER_KINDS.flatMap((kind) => {
    const refusal = refusalOf(access, kind)
    return refusal ? [{ kind, status: REFUSALS[refusal] }] : []
  })

/** The open levels as a value. Its type is made of the table, which pages do not have to load for it. */
const OPEN: Record<OpenAccess, true> = { public: true }

/** Whether a level needs no session. */
export const isOpen = (access: Access): access is OpenAccess => access in OPEN

/** Whether customers are refused at a level: its calls run the shop. */
export const isForStaff = (access: Access): boolean => refusalOf(access, 'user') !== null
