/**
 * PostgreSQL's codes for what the statement cannot help: a lost connection (08), too little memory,
 * disk or connections (53), a server that stops or starts (57P0…), a statement or a transaction
 * that was ended for taking too long (57014, 25P03).
 */
const OUTAGES = /^(08...|53...|57P0.|57014|25P03)$/

/** Whether the database is out of reach for now: the same request may well succeed in a moment. */
export const isOutage = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && OUTAGES.test(String(error.code))
