/** The parts of an e-mail, each as HTML and as plain text. Classes have their styles in `styles.ts`. */
import { type Html, html, text } from './html.ts'

export type Part = { html: Html; text: string }

/** Rules a line in a plain text. */
export const RULE = '-'.repeat(40)

/** Attributes of a table without space between its cells. */
export const PLAIN_TABLE = html`width="100%" cellpadding="0" cellspacing="0" border="0"`

export const paragraph = (content: string): Part => ({
  html: html`<p class="paragraph">${content}</p>`,
  text: text`${content}`,
})

/** Lines of text below each other. */
export const textLines = (lines: string[]): Part => ({
  html: html`<p class="paragraph">${lines.map((line) => html`${line}<br>`)}</p>`,
  text: lines.map((line) => text`${line}`).join('\n'),
})

/** A link as a button, with its address below. */
export function button(label: string, url: string): Part {
  if (!/^https?:\/\//.test(url)) throw new Error('A button leads to a web address only.')
  return {
    html: html`<p class="action"><a class="button" href="${url}">${label}</a></p>
<p class="muted address">Or open this address: <a class="link" href="${url}">${url}</a></p>`,
    text: text`${label}:\n${url}`,
  }
}

type Rows = [name: string, value: string][]

const textOf = (rows: Rows) => rows.map(([name, value]) => text`${name}: ${value}`)

/** Names and values, such as the time of a sign-in. By its role, screen readers do not announce a table. */
export const details = (rows: Rows): Part => ({
  html: html`<table role="presentation" ${PLAIN_TABLE} class="table">${rows.map(
    ([name, value]) => html`
<tr><td class="muted term" valign="top">${name}</td>
<td class="value" valign="top" width="100%">${value}</td></tr>`,
  )}</table>`,
  text: textOf(rows).join('\n'),
})

export type TableLine = { name: string; detail: string | null; amount: string }

const lineRow = ({ name, detail, amount }: TableLine) => html`
<tr><td class="cell product">${name}${detail ? html`<br><span class="muted">${detail}</span>` : ''}</td>
<td class="cell amount" align="right" valign="top">${amount}</td></tr>`

const sumRow = ([label, amount]: Rows[number], weight: 'part' | 'total') => html`
<tr><th scope="row" class="label ${weight}" align="left">${label}</th>
<td class="sum ${weight}" align="right" valign="top">${amount}</td></tr>`

/** The lines of an order and its sums, of which the last one is the total. */
export const table = (lines: TableLine[], sums: Rows): Part => ({
  html: html`<table ${PLAIN_TABLE} class="table">
<thead><tr><th scope="col" class="cell muted header" align="left">Product</th>
<th scope="col" class="cell muted header" align="right">Amount</th></tr></thead>
<tbody>${lines.map(lineRow)}</tbody>
<tbody>${sums.map((sum) => sumRow(sum, sum === sums.at(-1) ? 'total' : 'part'))}</tbody></table>`,
  text: [
    ...lines.map(({ name, detail, amount }) =>
      detail ? text`${name}  ${detail}  ${amount}` : text`${name}  ${amount}`,
    ),
    RULE,
    ...textOf(sums),
  ].join('\n'),
})
