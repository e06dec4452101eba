/**
 * SQLSTATE codes of an outage: a lost connection (08), insufficient resources (53), a server that
 * stops or starts (57P0…), a statement or transaction ended by a timeout (57014, 25P03), a server that is
 * read-only, as a replica is (25006).
 */
const OUTAGES = /^(08...|53...|57P0.|57014|25P03|25006)$/

/** Whether the database is temporarily unavailable: the same request may succeed later. */
export const isOutage = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && OUTAGES.test(String(error.code))
