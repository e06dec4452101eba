/** The result of a check: fine, to be considered, or to be corrected. */
export type Finding = {
  state: 'ok' | 'warning' | 'problem'
  /** The subject, in a word or two. */
  about: string
  found: string
  /** The recommended action. */
  advice?: string
}

export const ok = (about: string, found: string): Finding => ({ state: 'ok', about, found })

const advised =
  (state: 'warning' | 'problem') =>
  (about: string, found: string, advice: string): Finding => ({ state, about, found, advice })

export const warning = advised('warning')
export const problem = advised('problem')

export const reason = (error: unknown) => (error instanceof Error ? error.message : String(error))

const SIGNS = { ok: 'ok   ', warning: 'warn ', problem: 'WRONG' }

/** A finding as lines of text. */
export const formatFinding = ({ state, about, found, advice }: Finding): string =>
  [`${SIGNS[state]} ${about}: ${found}`, ...(advice ? [`      ${advice}`] : [])].join('\n')
