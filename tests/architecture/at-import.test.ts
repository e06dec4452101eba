/** Every page waits for what its modules do while they are loaded. */
import { checkRules } from './check-rules.ts'
import { isIn, isTest } from './paths.ts'

/** The code of pages, which `vite.config.ts` puts into files that pages share. */
const isPages = (path: string) =>
  isIn(path, 'app/') && !/^app\/\w+\/server\//.test(path) && !isTest(path)

checkRules('work at import', [
  {
    rule: '9. code of pages makes formatters at their first use, and runs no loop while it is loaded',
    breaks: ({ path, atImport }) => (isPages(path) ? atImport : []),
    planted: {
      'app/shared/model/a.ts':
        "const format = new Intl.DateTimeFormat('en-US', { dateStyle: 'long' })",
      'app/shared/web/b.ts': "export const formats = [Intl.NumberFormat('en')]",
      'app/shipping/model.ts':
        "export const sorted = ['b', 'a'].toSorted((a, b) => a.localeCompare(b, 'en'))",
      'app/products/web/c.tsx': 'export const today = (() => new Date().toLocaleDateString())()',
      'app/cart/web/d.ts': 'const table = []\nfor (let one = 0; one < 1e6; one++) table.push(one)',
      'app/layouts/e.tsx': "class Clock { static format = new Intl.DateTimeFormat('en') }",
    },
  },
])
