/**
 * The structured data (schema.org) of a page, for its `meta`. Only its `loader` returns it: search
 * engines fetch each page, so browsers get no code for it. React Router escapes it.
 */
export function structuredDataOf(loaderData: unknown) {
  const { structuredData = [] } = Object(loaderData)
  return (structuredData as object[]).map((one) => ({ 'script:ld+json': one }))
}
