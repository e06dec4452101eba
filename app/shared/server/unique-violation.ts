const UNIQUE_VIOLATION = '23505'

/** Whether the database refused a row because one like it exists; `constraint` says by which rule. */
export const isUniqueViolation = (error: unknown, constraint?: string): boolean =>
  error instanceof Error &&
  'code' in error &&
  error.code === UNIQUE_VIOLATION &&
  (constraint === undefined || ('constraint' in error && error.constraint === constraint))
