import { createContext as createReactContext } from 'react'
import { createContext } from 'react-router'

/** Callbacks from the renderer to the server. */
export type PageReport = {
  /** The id of the page's request. */
  requestId: string | null
  /** The route pattern that matched, such as `/category/:slug`. */
  matched: (pattern: string) => void
  /** An unexpected error occurred. */
  failed: (error: unknown) => void
}

export const pageReportContext = createContext<PageReport>({
  requestId: null,
  matched() {},
  failed() {},
})

/** The id of the request that the page is rendered for; undefined in the browser. */
export const RenderedFor = createReactContext<string | null>(null)
