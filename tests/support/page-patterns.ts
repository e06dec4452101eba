import type { RouteConfigEntry } from '@react-router/dev/routes'
import routes from '#app/routes.ts'

/** The patterns of these routes; layouts have none of their own. */
const patternsOf = (entries: RouteConfigEntry[], above = ''): string[] =>
  entries.flatMap(({ path, index, children = [] }) => {
    const here = path === undefined ? above : `${above}/${path}`
    const own = path !== undefined || index ? [here || '/'] : []
    return [...own, ...patternsOf(children, here)]
  })

/** The URL pattern of every page. */
export const pagePatterns = [...new Set(patternsOf(routes))]
