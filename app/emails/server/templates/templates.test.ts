import { describe, expect, it } from 'vitest'
import { renderText } from '#app/settings/server/text.ts'
import { contrastOf, DEFAULT_ACCENT } from '#app/settings/theme-model.ts'
import type { EmailFacts } from '../facts.ts'
import { greetingOf, oneLine } from './html.ts'
import { emailThemesOf } from './styles.ts'
import { contentOf, renderEmail, type Sources } from './templates.ts'
import { linesOf } from './text-nodes.ts'

const SHOP = {
  name: 'Haat',
  url: 'https://shop.example.com',
  locale: 'en-US',
  timeZone: 'UTC',
  accent: DEFAULT_ACCENT,
  logo: null,
}
const sourcesOf = (some: Partial<Sources>) =>
  ({ shop: SHOP, link: '', logo: null, instructions: [], attached: [], ...some }) as Sources
const HOSTILE = '<img src=x onerror=alert(1)>"\'&'

describe('the subject', () => {
  it('is one line, whatever the name of the shop contains', () => {
    const email: EmailFacts = { kind: 'password_changed', facts: {} }
    const { subject } = contentOf(email, {
      ...SHOP,
      name: 'Haat\r\nBcc: all@example.com\u2028\u0000',
    })
    expect(subject).toBe('Your password at Haat Bcc: all@example.com was changed')
  })

  it('is cut when it is too long', () => {
    const email: EmailFacts = { kind: 'password_changed', facts: {} }
    expect([...contentOf(email, { ...SHOP, name: '🫖'.repeat(400) }).subject]).toHaveLength(150)
  })
})

describe('the greeting', () => {
  it.each(['Asha Rao', 'José-María', 'Ngũgĩ wa Thiong’o', 'J. R. Rao', '王小明'])(
    'greets %s',
    (name) => {
      expect(greetingOf(name)).toBe(`Hello ${name},`)
    },
  )

  it.each([
    'https://evil.example',
    'see evil.example now',
    'a@evil.example',
    'x'.repeat(61),
    ' ',
    'C:\\x',
    'see evil\uff0eexample now',
    'see evil\u3002example now',
    'Call +1 (555) 010-0199 now',
  ])('does not repeat %j', (name) => {
    expect(greetingOf(name)).toBe('Hello,')
  })

  it('stays on its line', () => {
    expect(greetingOf('Asha\nYou owe us money')).toBe('Hello Asha You owe us money,')
  })
})

describe('the HTML', () => {
  it('escapes every text of other people', () => {
    const facts = { address: HOSTILE, browser: HOSTILE, at: '2026-11-23T05:00:00Z' }
    const sources = sourcesOf({ shop: { ...SHOP, name: HOSTILE } })
    const { html } = renderEmail({ kind: 'new_sign_in', facts, name: HOSTILE }, sources)
    expect(html).not.toContain('<img')
    expect(html).toContain('&lt;img src=x onerror=alert(1)&gt;&quot;&#x27;&amp;')
    // scripts, and contents from elsewhere, which would tell when the e-mail is read
    expect(html).not.toMatch(/<script|<link|<img|@import|url\(/)
  })

  it('refuses a button that leads to no web address', () => {
    const email = { kind: 'welcome', facts: {}, name: 'Asha' } as const
    const sources = sourcesOf({ link: 'javascript:alert(1)' })
    expect(() => renderEmail(email, sources)).toThrow('web address')
  })

  it('contains the same as the text', () => {
    const order = {
      lines: [{ name: 'Cup', quantity: 3, price: 0.1 }],
      subtotal: 0.3,
      adjustments: [],
      total: 0.3,
      currency: 'INR',
      test: true,
      buyer: { name: 'Asha', email: '', phone: '', address: '' },
      recipient: { name: 'Asha', phone: '', address: '1 Lane\n2 Town' },
    } as unknown as Sources['order']
    const email = { kind: 'order_confirmation', facts: { number: 7 }, name: 'Asha' } as const
    const { text, html } = renderEmail(email, sourcesOf({ order }))
    for (const shown of [text, html])
      for (const part of ['order 7', '3 × ₹0.10', '₹0.30', 'no money was taken', '1 Lane 2 Town'])
        expect(shown).toContain(part)
    const german = sourcesOf({ order, shop: { ...SHOP, locale: 'de-DE' } })
    expect(renderEmail(email, german).text).toContain('0,30\u00a0₹')
  })

  it('has a style for each class', () => {
    const facts = { address: '203.0.113.7', browser: '', at: '2026-11-23T05:00:00Z' }
    const { html } = renderEmail({ kind: 'new_sign_in', facts, name: 'Ada' }, sourcesOf({}))
    expect(html).not.toContain('style=""')
  })
})

describe('a time', () => {
  const at = '2026-11-28T22:20:00Z'
  const inBerlin = sourcesOf({ shop: { ...SHOP, locale: 'en-GB', timeZone: 'Europe/Berlin' } })
  const time = '28 November 2026 at 23:20 CET'

  it('of a sign-in is in the time zone and format of the shop', () => {
    const facts = { address: '203.0.113.7', browser: '', at }
    expect(renderEmail({ kind: 'new_sign_in', facts, name: 'Ada' }, inBerlin).text).toContain(time)
    const german = sourcesOf({ shop: { ...SHOP, locale: 'de-DE', timeZone: 'Europe/Berlin' } })
    expect(renderEmail({ kind: 'new_sign_in', facts, name: 'Ada' }, german).text).toContain(
      '28. November 2026 um 23:20 MEZ',
    )
  })

  it.each([
    ['payments', 'The connection to the payment provider was changed'],
    ['email', 'The SMTP server was changed'],
    ['address', 'The public address was changed'],
  ] as const)('of a change of %s is so, too', (connection, sentence) => {
    const facts = { by: 'Bea', connection, at }
    const { text } = renderEmail({ kind: 'settings_changed', facts, name: 'Ada' }, inBerlin)
    expect(text).toContain(time)
    expect(text).toContain(sentence)
  })
})

it('shows a text of the merchant line by line', () => {
  const markdown = [
    '# Our bank',
    'IBAN **DE02** 1203\nBIC BYLADEM1001',
    '1. Pay\n2. Wait',
    '[Ask us](mailto:a@example.com) <b>now</b>',
  ].join('\n\n')
  expect(linesOf(renderText(markdown))).toEqual([
    'Our bank',
    'IBAN DE02 1203',
    'BIC BYLADEM1001',
    '1. Pay',
    '2. Wait',
    'Ask us (mailto:a@example.com) now',
  ])
})

it('removes characters that turn the direction of a text, and keeps those that join letters', () => {
  expect(oneLine('a\u202eb\u2066c')).toBe('abc')
  expect(oneLine('👩‍🌾 می‌خواهم')).toBe('👩‍🌾 می‌خواهم')
})

describe('the colours', () => {
  it.each([DEFAULT_ACCENT, '#0b5d8a', '#6b2fa0', '#1a1a1a', '#7a6000', '#c2185b'])(
    'are readable with the accent colour %s, in light and in dark',
    (accent) => {
      for (const theme of Object.values(emailThemesOf(accent))) {
        const { page, card, text, muted, link, button, onButton } = theme
        const pairs = [
          [text, card],
          [muted, card],
          [muted, page],
          [link, card],
          [link, page],
          [onButton, button],
        ] as const
        for (const [one, other] of pairs)
          expect(contrastOf(one, other), `${one} on ${other}`).toBeGreaterThanOrEqual(4.5)
      }
    },
  )
})
