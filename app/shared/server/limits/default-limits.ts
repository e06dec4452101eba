import type { Access, Endpoint, Limit } from '#app/shared/contract/endpoint.ts'

/**
 * Far more than an office sends, because an address is counted before its callers are known: nobody
 * there may use up what the others need. Wrong tokens are counted, too.
 */
const GUARDED: Limit = { by: 'address', most: 1800, seconds: 60 }

const DEFAULTS: Record<Access, readonly Limit[]> = {
  public: [{ by: 'address', most: 3000, seconds: 60 }],
  user: [GUARDED, { by: 'account', most: 120, seconds: 60 }],
  admin: [GUARDED, { by: 'account', most: 300, seconds: 60 }],
}

/**
 * The limits of a call: its own, and its access's defaults by address or account where it has none.
 * A public GET has no default, because the page cache and the limits of rendering bound it.
 */
export function limitsOf({
  method,
  access,
  limits = [],
}: Pick<Endpoint, 'method' | 'access' | 'limits'>): Limit[] {
  if (access === 'public' && method === 'GET') return [...limits]
  const missing = DEFAULTS[access].filter(({ by }) => !limits.some((own) => own.by === by))
  return [...limits, ...missing]
}
