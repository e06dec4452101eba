import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { createRoutesStub } from 'react-router'
import { expect, it } from 'vitest'
import { NO_SETTINGS } from '#app/shared/model/shop-settings.ts'
import { moneyFormatsOf } from '#app/shared/server/intl-money-format.ts'
import type { ShownAttribute } from '../shown-attribute-contract.ts'
import { ProductFacts } from './product-facts.tsx'

/** The values as the page of a product in a shop of this locale shows them. */
function shownIn(locale: string, ...values: [ShownAttribute['value'], string?][]) {
  const attributes = values.map(([value, unit], at) => ({
    name: `Fact ${at}`,
    value,
    ...(unit !== undefined && { unit }),
  }))
  const Component = () => createElement(ProductFacts, { attributes })
  const Page = createRoutesStub([{ id: 'root', path: '/', Component }])
  const root = { ...NO_SETTINGS, moneyFormats: moneyFormatsOf(locale, ['USD']) }
  const html = renderToStaticMarkup(
    createElement(Page, { hydrationData: { loaderData: { root } } }),
  )
  return [...html.matchAll(/<dd[^>]*>([^<]*)<\/dd>/g)].map(([, text = '']) => text.trim())
}

it('writes numbers in the way of the shop, with their unit, and years without groups', () => {
  expect(shownIn('en-US', [12500.5, 'kg'], [2026], [-0.25, '°C'])).toEqual([
    '12,500.5 kg',
    '2026',
    '-0.25 °C',
  ])
  expect(shownIn('de-DE', [12500.5, 'kg'], [2026])).toEqual(['12.500,5 kg', '2026'])
})

it('writes yes and no, and texts as they are', () => {
  expect(shownIn('en-US', [true], [false], ['Oak 1200.5'])).toEqual(['Yes', 'No', 'Oak 1200.5'])
})
