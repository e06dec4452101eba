/** The parts of an e-mail, as React components. */
import { createContext, createElement as h, type ReactNode, use } from 'react'
import { DEFAULT_ACCENT } from '#app/settings/theme-model.ts'
import { oneLine } from './plain.ts'
import { emailThemesOf, stylesOf } from './styles.ts'

/** An e-mail, to which `frame.ts` adds the shop. */
export type Content = {
  /** Shown beside the subject in lists of e-mails. */
  preview: string
  heading: string
  greeting: string
  body: ReactNode[]
  /** Why the recipient gets this e-mail. */
  reason: string
}

export const Styles = createContext(stylesOf(emailThemesOf(DEFAULT_ACCENT).light))

/** A text of other people. */
export const line = (text: string) => oneLine(text, 2000)

/** Attributes of a table without space between its cells. */
export const PLAIN_TABLE = { width: '100%', cellPadding: 0, cellSpacing: 0, border: 0 } as const

function Paragraph({ text }: { text: string }) {
  return h('p', { style: use(Styles).paragraph }, line(text))
}

function Button({ label, url }: { label: string; url: string }) {
  const { action, button, address, link } = use(Styles)
  if (!/^https?:\/\//.test(url)) throw new Error('A button leads to a web address only.')
  return [
    h(
      'p',
      { key: 'button', style: action },
      h('a', { className: 'button', href: url, style: button }, line(label)),
    ),
    h(
      'p',
      { key: 'address', className: 'muted html-only', style: address },
      'Or open this address: ',
      h('a', { className: 'link', href: url, style: link }, url),
    ),
  ]
}

type Rows = [name: string, value: string][]

function Details({ rows }: { rows: Rows }) {
  const { table, term, value: valueStyle } = use(Styles)
  const cells = rows.map(([name, value]) =>
    h(
      'tr',
      { className: 'fact' },
      h('td', { className: 'muted', valign: 'top', style: term }, line(name)),
      h('td', { valign: 'top', width: '100%', style: valueStyle }, line(value)),
    ),
  )
  // of this role, screen readers do not announce a table
  const layout = { role: 'presentation', ...PLAIN_TABLE, style: table }
  return h('table', layout, h('tbody', null, ...cells))
}

export type TableLine = { name: string; detail?: string; amount: string }
export type TableSum = { label: string; amount: string; isTotal?: boolean }

function TableRow({ name, detail, amount }: TableLine) {
  const styles = use(Styles)
  return h(
    'tr',
    { className: 'line' },
    h(
      'td',
      { className: 'cell', style: styles.product },
      line(name),
      detail && h('br', { className: 'gap' }),
      detail && h('span', { className: 'muted', style: styles.detail }, line(detail)),
    ),
    h('td', { className: 'cell', align: 'right', valign: 'top', style: styles.amount }, amount),
  )
}

function SumRow({ label, amount, isTotal }: TableSum) {
  const { total, part, sumLabel, sum } = use(Styles)
  const weight = isTotal ? total : part
  return h(
    'tr',
    { className: 'fact' },
    h('th', { scope: 'row', align: 'left', style: { ...sumLabel, ...weight } }, line(label)),
    h('td', { align: 'right', valign: 'top', style: { ...sum, ...weight } }, amount),
  )
}

function Table({ lines, sums }: { lines: TableLine[]; sums: TableSum[] }) {
  const { table, columnHeading } = use(Styles)
  const heading = { scope: 'col', className: 'cell muted', style: columnHeading }
  const headings = h(
    'tr',
    null,
    h('th', { ...heading, align: 'left' }, 'Product'),
    h('th', { ...heading, align: 'right' }, 'Amount'),
  )
  return h(
    'table',
    { ...PLAIN_TABLE, style: table },
    h('thead', { className: 'html-only' }, headings),
    h('tbody', { className: 'lines' }, ...lines.map((one) => h(TableRow, one))),
    h('tbody', null, ...sums.map((one) => h(SumRow, one))),
  )
}

export const paragraph = (text: string) => h(Paragraph, { text })
/** A link as a button, with its address below. */
export const button = (label: string, url: string) => h(Button, { label, url })
/** Names and values, such as the time of a sign-in. */
export const details = (rows: Rows) => h(Details, { rows })
/** The lines of an order and its sums. */
export const table = (lines: TableLine[], sums: TableSum[]) => h(Table, { lines, sums })
