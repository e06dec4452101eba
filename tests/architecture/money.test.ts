/** One home for what a minor unit is worth: yen have no decimals, dinars three. */
import { checkRules } from './check-rules.ts'
import { isIn, isTest } from './paths.ts'

/** `sandbox.ts` is a script of its own for browsers, which imports nothing: it is told the decimals. */
const HOMES = [
  'app/shared/model/minor-units.ts',
  'app/shared/server/settings/currency-store.ts',
  'app/payments/web/providers/sandbox.ts',
]

/** Whether a file is part of the shop, and no test. */
const isShop = (path: string) =>
  ['app/', 'demo/', 'server/', 'bin/'].some((folder) => isIn(path, folder)) && !isTest(path)

/** Two decimals in arithmetic, a schema or a text, decimals by powers of ten, and those of `Intl`. */
const CONVERSIONS = [
  /[*/] ?(?:100(?:\.0)?|1e2)\b(?!\}?%)/,
  /\b10 ?\*\* ?(?:[\w.]*decimals|\w+\.digits)/i,
  /maxDecimals: 2\b/,
  /resolvedOptions\(\)\s*\.maximumFractionDigits/,
  /(?:price|amount|minor|major|fee|total)[\w()]*\.toFixed\(2\)/i,
]

/** A share of a hundred is no unit of money. */
const isPercentage = (line: string) => /percent/i.test(line)

checkRules('money', [
  {
    rule: 'amounts change between major and minor units by the decimals of their currency, in one place',
    breaks: ({ path, text }) => {
      if (!isShop(path) || HOMES.includes(path)) return []
      return text
        .split('\n')
        .filter((line) => !/^\s*(?:\/\/|\/?\*)/.test(line) && !isPercentage(line))
        .filter((line) => CONVERSIONS.some((conversion) => conversion.test(line)))
        .map((line) => line.trim())
    },
    planted: {
      'app/cart/web/a.ts': 'export const total = (price: number) => Math.round(price * 100)',
      'app/orders/server/b.ts': 'export const major = (minor: number) => minor / 100',
      'app/coupons/server/store.ts': 'sql`(amount_minor / 100.0)::float8`',
      'app/coupons/contract.ts': 'Type.Number({ minimum: 0, maxDecimals: 2 })',
      'app/seo/server/c.ts': 'export const text = (price: number) => price.toFixed(2)',
      'app/payments/web/d.ts': 'export const units = 10 ** format.digits',
      'server/e.ts': 'format(currency).resolvedOptions().maximumFractionDigits',
    },
  },
])
