/** Whether an error of PostgreSQL has this SQLSTATE code. */
const violation =
  (code: string) =>
  (error: unknown, constraint?: string): boolean =>
    error instanceof Error &&
    'code' in error &&
    error.code === code &&
    (constraint === undefined || ('constraint' in error && error.constraint === constraint))

/** Whether the error is a unique violation, of `constraint` if it is given. */
export const isUniqueViolation = violation('23505')

/** Whether the error is an exclusion violation, of `constraint` if it is given. */
export const isExclusionViolation = violation('23P01')

/** Whether the error is a foreign key violation, of `constraint` if it is given. */
export const isForeignKeyViolation = violation('23503')

/** Whether the error is a violation of a check, of `constraint` if it is given. */
export const isCheckViolation = violation('23514')

/**
 * SQLSTATE codes of an outage: a lost connection (08), insufficient resources (53), a server that
 * stops or starts (57P0…), a statement or transaction ended by a timeout (57014, 25P03), a server that is
 * read-only, as a replica is (25006).
 */
const OUTAGES = /^(08...|53...|57P0.|57014|25P03|25006)$/

/** Whether the database is temporarily unavailable: the same request may succeed later. */
export const isOutage = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && OUTAGES.test(String(error.code))
