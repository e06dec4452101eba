/** Spells what a page understands of its address in one way, and leaves the rest out. */
export type Spell = (params: URLSearchParams) => URLSearchParams

/** What a page says of its address: `export const handle = { spell: (params) => … }`; else it understands nothing. */
export function spellOf(handle: unknown): Spell {
  const { spell } = Object(handle)
  return typeof spell === 'function' ? spell : () => new URLSearchParams()
}
