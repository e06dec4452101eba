import { index, type RouteConfig } from '@react-router/dev/routes'

/** The site map: every address and its page. */
export default [index('products/web/home-page.tsx')] satisfies RouteConfig
