const violation =
  (code: string) =>
  (error: unknown, constraint?: string): boolean =>
    error instanceof Error &&
    'code' in error &&
    error.code === code &&
    (constraint === undefined || ('constraint' in error && error.constraint === constraint))

/** Whether the database refused a row because one like it exists; `constraint` says by which rule. */
export const isUniqueViolation = violation('23505')

/** Whether it refused because a row that another refers to is missing, or would be. */
export const isForeignKeyViolation = violation('23503')
