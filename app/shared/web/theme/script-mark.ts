import { createContext } from 'react'

/**
 * The mark of the page's own inline scripts, by which the server finds them and allows them in the
 * Content-Security-Policy. The server removes it from the page, so browsers have none.
 */
export const ScriptMark = createContext<string | undefined>(undefined)
