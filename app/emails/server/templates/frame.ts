/** Makes the HTML and the plain text of an e-mail: its content, and the shop around it. */
import { compile, type FormatCallback } from 'html-to-text'
import { createElement as h, type ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { type Content, line, PLAIN_TABLE, Styles } from './parts.ts'
import { emailThemesOf, rulesOf, stylesOf } from './styles.ts'

/** The picture of the shop's logo: its URL and its size in the e-mail. */
export type LogoPicture = { src: string; width: number; height: number }

type Shop = {
  name: string
  url: string
  accent: string
  subject: string
  /** Null shows the name. */
  logo: LogoPicture | null
}

type Look = ReturnType<typeof stylesOf>

const layoutTable = (props: object, ...rows: ReactNode[]) =>
  h('table', { role: 'presentation', ...PLAIN_TABLE, ...props }, h('tbody', null, ...rows))

/** The logo, or the name, which clients also show in the place of a picture that they block. */
function brand({ name, url, logo }: Shop, styles: Look) {
  const alt = line(name)
  // a low priority, so that React adds no link that loads it early
  const picture = { className: 'logo', style: styles.logo, fetchPriority: 'low' } as const
  const shown = logo
    ? h('img', { src: logo.src, alt, width: logo.width, height: logo.height, ...picture })
    : alt
  return h(
    'td',
    { align: 'center', style: styles.top, className: 'html-only' },
    h('a', { className: 'brand', href: url, style: styles.brand }, shown),
  )
}

function head({ subject, accent }: Shop) {
  return h(
    'head',
    null,
    h('meta', { charSet: 'utf-8' }),
    h('meta', { name: 'viewport', content: 'width=device-width, initial-scale=1' }),
    h('meta', { name: 'color-scheme', content: 'light dark' }),
    h('meta', { name: 'supported-color-schemes', content: 'light dark' }),
    h('title', null, line(subject)),
    h('style', null, rulesOf(emailThemesOf(accent).dark)),
  )
}

function frame({ preview, heading, greeting, body, reason }: Content, shop: Shop, styles: Look) {
  const card = h(
    'td',
    { className: 'card', style: styles.card },
    h('h1', { className: 'html-only', style: styles.heading }, line(heading)),
    h('p', { style: styles.paragraph }, line(greeting)),
    ...body,
  )
  const footer = h(
    'td',
    { className: 'muted footer', align: 'center', style: styles.footer },
    line(reason),
  )
  const column = layoutTable(
    { style: styles.column },
    ...[brand(shop, styles), card, footer].map((cell) => h('tr', null, cell)),
  )
  const page = h('td', { className: 'page', align: 'center', style: styles.page }, column)
  return h(
    'html',
    { lang: 'en' },
    head(shop),
    h(
      'body',
      { className: 'page', style: styles.body },
      // clients show it after the subject
      h('div', { className: 'html-only', style: styles.hidden }, line(preview)),
      h('div', { role: 'article', lang: 'en' }, layoutTable({}, h('tr', null, page))),
    ),
  )
}

export function renderHtml(content: Content, shop: Shop): string {
  const styles = stylesOf(emailThemesOf(shop.accent).light)
  const email = h(Styles.Provider, { value: styles }, frame(content, shop, styles))
  return `<!doctype html>\n${renderToStaticMarkup(email)}\n`
}

const RULE = '-'.repeat(40)

/** A row of two cells on a line of its own. */
const rowOf =
  (between: string): FormatCallback =>
  ({ children }, walk, builder) => {
    builder.openBlock()
    walk(children.slice(0, 1), builder)
    builder.addLiteral(between)
    walk(children.slice(1), builder)
    builder.closeBlock()
  }

const toText = compile({
  wordwrap: false,
  whitespaceCharacters: ' \t\r\n\f',
  formatters: {
    action({ attribs, children }, walk, builder) {
      walk(children, builder)
      builder.addLiteral(`:\n${attribs.href}`)
    },
    fact: rowOf(': '),
    line: rowOf('  '),
    lines({ children }, walk, builder) {
      walk(children, builder)
      builder.openBlock()
      builder.addLiteral(RULE)
      builder.closeBlock()
    },
    footer({ children }, walk, builder) {
      builder.openBlock({ leadingLineBreaks: 2 })
      builder.addLiteral(`${RULE}\n\n`)
      walk(children, builder)
      builder.closeBlock()
    },
    break: (_element, _walk, builder) => builder.addLiteral('  '),
  },
  selectors: [
    { selector: '.html-only', format: 'skip' },
    { selector: '.footer', format: 'footer' },
    { selector: 'tr.fact', format: 'fact' },
    { selector: 'tr.line', format: 'line' },
    { selector: 'tbody.lines', format: 'lines' },
    { selector: 'br.gap', format: 'break' },
    { selector: 'a.button', format: 'action' },
  ],
})

/** The plain text of an e-mail, made of its HTML. */
export const textOf = (html: string, { name, url }: { name: string; url: string }): string =>
  `${toText(html)}\n${line(name)}, ${url}\n`
