/**
 * Files and folders over a size, with the answer to the question that the size asks: is this two things? What is two
 * things is divided by its subjects. Contracts are data, and are not asked.
 */
export const OVER_SIZE: Record<string, string> = {
  'db/schema.generated.ts':
    'One thing: the columns of each table. npm run schema writes it from db/migrations.',
}
