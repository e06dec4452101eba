const violation =
  (code: string) =>
  (error: unknown, constraint?: string): boolean =>
    error instanceof Error &&
    'code' in error &&
    error.code === code &&
    (constraint === undefined || ('constraint' in error && error.constraint === constraint))

/** Whether the error is a unique violation, of `constraint` if it is given. */
export const isUniqueViolation = violation('23505')

/** Whether the error is a foreign key violation, of `constraint` if it is given. */
export const isForeignKeyViolation = violation('23503')

/** Whether the error is a violation of a check, of `constraint` if it is given. */
export const isCheckViolation = violation('23514')
