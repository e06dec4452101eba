/**
 * Files and folders over a size, with the answer to the question that the size asks: is this two things? What is two
 * things is divided by its subjects. Contracts are data, and are not asked.
 */
export const OVER_SIZE: Record<string, string> = {
  'db/schema.generated.ts':
    'One thing: the columns of each table. npm run schema writes it from db/migrations.',
  'app/products/server/fields.test.ts':
    'One thing: each field of a product, at every place where it is entered, stored or seen.',
  'app/products/server/publication/publication.test.ts':
    'One thing: what the status, the times and the sale price of a product do, seen by the same calls.',
}
