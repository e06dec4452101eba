/** What an examination found: all is well, something to think about, or something to mend. */
export type Finding = {
  state: 'good' | 'odd' | 'wrong'
  /** What was looked at, in a word or two. */
  about: string
  found: string
  /** What to do about it. */
  advice?: string
}

export const good = (about: string, found: string): Finding => ({ state: 'good', about, found })
export const odd = (about: string, found: string, advice: string): Finding => ({
  ...{ state: 'odd', about, found, advice },
})
export const wrong = (about: string, found: string, advice: string): Finding => ({
  ...{ state: 'wrong', about, found, advice },
})

export const reason = (error: unknown) => (error instanceof Error ? error.message : String(error))

const SIGNS = { good: 'ok   ', odd: 'look ', wrong: 'WRONG' }

/** A finding as it is told. */
export const formatFinding = ({ state, about, found, advice }: Finding): string =>
  [`${SIGNS[state]} ${about}: ${found}`, ...(advice ? [`      ${advice}`] : [])].join('\n')
