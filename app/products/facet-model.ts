/** Pages with more chosen facets are neither kept nor indexed. */
export const MAX_KEPT_FACETS = 2
/** More than these of one address are ignored. */
const MAX_FACETS = 12
/** A key is a folded name and a folded value, at most 100 characters each. */
const MAX_KEY_LENGTH = 201

/** Keys such as `colour:red` in canonical order: sorted, each once. */
export const canonicalKeys = (keys: string[]): string[] =>
  [...new Set(keys)]
    .filter((key) => /^[^:\0]+:[^\0]+$/u.test(key) && key.length <= MAX_KEY_LENGTH)
    .sort()
    .slice(0, MAX_FACETS)

/** The keys in the parameter of a call. A part that is not percent-encoded properly is left out. */
export const keysIn = (sent: string): string[] =>
  canonicalKeys(
    sent.split(',').flatMap((part) => {
      try {
        return [decodeURIComponent(part)]
      } catch {
        return []
      }
    }),
  )

export const keysParam = (keys: string[]): string => keys.map(encodeURIComponent).join()
