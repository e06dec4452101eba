import { startTransition } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { HydratedRouter } from 'react-router/dom'

declare global {
  interface Window {
    /** React Router's site map. */
    __reactRouterManifest: { routes: Record<string, object> }
    /** The modules of the routes of this page. */
    __reactRouterRouteModules: Record<string, object>
  }
}

/** The parent route of the back office, which has half of all routes. */
const BACK_OFFICE = 'back-office/back-office-layout'

/**
 * Removes the back office from the site map of other pages: React Router ranks and matches all routes
 * before hydration, in one task. A link to the back office loads a document (see the not-found page).
 */
function shortenSiteMap({ __reactRouterManifest: { routes }, __reactRouterRouteModules }: Window) {
  if (!(BACK_OFFICE in __reactRouterRouteModules)) delete routes[BACK_OFFICE]
}

shortenSiteMap(window)
startTransition(() => {
  hydrateRoot(document, <HydratedRouter />)
})
