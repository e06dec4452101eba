import { createContext as createReactContext } from 'react'
import { createContext } from 'react-router'

/** What the server wants to hear of a page that it renders. */
export type PageReport = {
  /** What the server's log knows the page's request by. */
  requestId: string | null
  /** The address was one of this pattern, such as `/category/:slug`. */
  matched: (pattern: string) => void
  /** Something happened that nobody expected. */
  failed: (error: unknown) => void
}

export const pageReportContext = createContext<PageReport>({
  requestId: null,
  matched() {},
  failed() {},
})

/** The id of the request that a page is rendered for; in the browser there is none. */
export const RenderedFor = createReactContext<string | null>(null)
