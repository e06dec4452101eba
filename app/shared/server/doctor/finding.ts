/** The result of a check: fine, to be considered, or to be corrected. */
export type Finding = {
  state: 'good' | 'odd' | 'wrong'
  /** The subject, in a word or two. */
  about: string
  found: string
  /** The recommended action. */
  advice?: string
}

export const good = (about: string, found: string): Finding => ({ state: 'good', about, found })
export const odd = (about: string, found: string, advice: string): Finding => ({
  state: 'odd',
  about,
  found,
  advice,
})
export const wrong = (about: string, found: string, advice: string): Finding => ({
  state: 'wrong',
  about,
  found,
  advice,
})

export const reason = (error: unknown) => (error instanceof Error ? error.message : String(error))

const SIGNS = { good: 'ok   ', odd: 'look ', wrong: 'WRONG' }

/** A finding as lines of text. */
export const formatFinding = ({ state, about, found, advice }: Finding): string =>
  [`${SIGNS[state]} ${about}: ${found}`, ...(advice ? [`      ${advice}`] : [])].join('\n')
