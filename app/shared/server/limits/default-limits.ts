import type { Access, Endpoint, Limit } from '#app/shared/contract/endpoint.ts'

/**
 * The limit of all guarded calls together. It is generous, because an address is counted before its
 * callers are known, and an office shares one. Requests with invalid tokens count, too.
 */
export const GUARDED_CALLS = {
  method: 'GET',
  path: '/*',
  limits: [{ by: 'address', most: 3000, seconds: 60 }],
} satisfies Pick<Endpoint, 'method' | 'path' | 'limits'>

const DEFAULTS: Record<Access, readonly Limit[]> = {
  public: [{ by: 'address', most: 3000, seconds: 60 }],
  user: [{ by: 'account', most: 120, seconds: 60 }],
  admin: [{ by: 'account', most: 300, seconds: 60 }],
}

/**
 * The limits of an endpoint: its own, or the defaults of its access level. A public GET has no
 * default, because the page cache and the render limits bound it.
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
