/** Cycles of imports, between files and between the web folders of domains. */
import { checkRules } from './check-rules.ts'
import { isTest, webDomain } from './paths.ts'
import type { Source } from './source.ts'

/** The domains whose web folders the web folder of a domain imports, by way of others, too. */
function webBelow(domain: string, all: Source[], found = new Set<string>()): Set<string> {
  for (const { path, imports } of all) {
    if (isTest(path) || webDomain(path) !== domain) continue
    for (const { to } of imports) {
      const below = webDomain(to)
      if (!below || below === domain || found.has(below)) continue
      found.add(below)
      webBelow(below, all, found)
    }
  }
  return found
}

/** The files of a cycle of value imports. */
function cycleFrom(start: Source, all: Map<string, Source>): string[] {
  const seen = new Set<string>()
  const visit = (path: string, way: string[]): string[] => {
    for (const { to, typeOnly } of all.get(path)?.imports ?? []) {
      if (typeOnly) continue
      if (to === start.path) return [...way, to]
      if (seen.has(to)) continue
      seen.add(to)
      const cycle = visit(to, [...way, to])
      if (cycle.length > 0) return cycle
    }
    return []
  }
  return visit(start.path, [start.path])
}

checkRules('cycles', [
  {
    rule: '2. no web folder imports one that imports it',
    breaks: ({ path, imports }, all) =>
      isTest(path)
        ? []
        : imports
            .map(({ to }) => webDomain(to))
            .filter((to) => to !== undefined && to !== webDomain(path))
            .filter((to = '') => webBelow(to, all).has(webDomain(path) ?? ''))
            .map((to) => `imports ${to}, which imports it`),
    planted: {
      'app/cart/web/a.ts': "import { x } from '#app/products/web/product-page.tsx'",
      'app/products/web/b.ts': "import type { x } from '#app/orders/web/order-card.tsx'",
      'app/orders/web/c.ts': "import { x } from '#app/cart/web/cart.ts'",
    },
  },
  {
    rule: '6. no cycles',
    breaks: (source, all) => {
      const cycle = cycleFrom(source, new Map(all.map((one) => [one.path, one])))
      return cycle.length > 0 ? [cycle.join(' → ')] : []
    },
    planted: {
      'app/cart/web/a.ts': "import { b } from './b.ts'",
      'app/cart/web/b.ts': "import { a } from './a.ts'",
    },
  },
])
