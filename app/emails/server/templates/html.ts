import type { Block, Content } from './content.ts'
import { oneLine } from './plain.ts'
import { type EmailTheme, emailThemesOf } from './theme.ts'

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Text as HTML, also inside a quoted attribute. */
export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '')

const line = (text: string) => escapeHtml(oneLine(text, 2000))

const FONT = "font-family:Figtree,'Segoe UI',Roboto,Helvetica,Arial,sans-serif"
const small = ({ muted }: EmailTheme) => `font-size:14px;line-height:20px;color:${muted}`

/** A table for the layout only: screen readers do not announce it. */
const layoutTable = (style: string, rows: string) =>
  `<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="${style}">${rows}</table>`

const isWebAddress = (url: string) => /^https?:\/\//.test(url)

function button(label: string, url: string, theme: EmailTheme): string {
  if (!isWebAddress(url)) throw new Error('A button leads to a web address only.')
  const address = escapeHtml(url)
  return `<p style="margin:24px 0 8px"><a class="button" href="${address}" style="display:inline-block;padding:12px 24px;border-radius:8px;background:${theme.button};color:${theme.onButton};font-weight:600;text-decoration:none">${line(label)}</a></p>
<p class="muted" style="margin:0 0 16px;${small(theme)};word-break:break-all">Or open this address: <a class="link" href="${address}" style="color:${theme.link}">${address}</a></p>`
}

const details = (rows: [string, string][], theme: EmailTheme) =>
  layoutTable(
    'margin:16px 0',
    rows
      .map(
        ([name, value]) =>
          `<tr><td class="muted" valign="top" style="padding:4px 16px 4px 0;${small(theme)}">${line(name)}</td><td valign="top" width="100%" style="padding:4px 0;word-break:break-word">${line(value)}</td></tr>`,
      )
      .join(''),
  )

function table({ lines, sums }: Extract<Block, { type: 'table' }>, theme: EmailTheme): string {
  const border = `border-bottom:1px solid ${theme.border}`
  const cells = lines.map(
    ({ name, detail, amount }) =>
      `<tr><td class="cell" style="padding:12px 12px 12px 0;${border};word-break:break-word">${line(name)}${detail ? `<br><span class="muted" style="${small(theme)}">${line(detail)}</span>` : ''}</td><td class="cell" align="right" valign="top" style="padding:12px 0;${border};white-space:nowrap">${line(amount)}</td></tr>`,
  )
  const totals = sums.map(({ label, amount, isTotal }) => {
    const weight = isTotal ? 'font-weight:700;font-size:18px' : 'font-weight:400'
    return `<tr><th scope="row" align="left" style="padding:8px 12px 0 0;${weight};word-break:break-word">${line(label)}</th><td align="right" valign="top" style="padding:8px 0 0;${weight};white-space:nowrap">${line(amount)}</td></tr>`
  })
  return `<table width="100%" cellpadding="0" cellspacing="0" border="0" style="margin:16px 0"><thead><tr><th scope="col" align="left" class="cell muted" style="padding:0 0 8px;${border};${small(theme)}">Product</th><th scope="col" align="right" class="cell muted" style="padding:0 0 8px;${border};${small(theme)}">Amount</th></tr></thead><tbody>${cells.join('')}${totals.join('')}</tbody></table>`
}

function htmlOf(block: Block, theme: EmailTheme): string {
  switch (block.type) {
    case 'paragraph':
      return `<p style="margin:0 0 16px;word-break:break-word">${line(block.text)}</p>`
    case 'button':
      return button(block.label, block.url, theme)
    case 'details':
      return details(block.rows, theme)
    case 'table':
      return table(block, theme)
  }
}

/** Behind the logo on a dark page: the letters of most logos are dark. */
const LOGO_PLATE = '#ffffff'

/** Rules for clients with a dark theme. Styles of elements win otherwise, so these are important. */
const styleIn = (
  dark: EmailTheme,
) => `:root{color-scheme:light dark;supported-color-schemes:light dark}
@media (prefers-color-scheme:dark){
.page{background:${dark.page}!important}
.card{background:${dark.card}!important;border-color:${dark.border}!important}
.page,.card{color:${dark.text}!important}
.muted{color:${dark.muted}!important}
.link,.brand{color:${dark.link}!important}
.logo{padding:6px 10px!important;border-radius:8px!important;background:${LOGO_PLATE}!important}
.button{background:${dark.button}!important;color:${dark.onButton}!important}
.cell{border-color:${dark.border}!important}
}`

/** Text that clients show after the subject; the page hides it. */
const preview = (text: string) =>
  `<div style="display:none;max-height:0;overflow:hidden">${line(text)}</div>`

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

const BRAND = 'font-size:22px;line-height:32px;font-weight:700;text-decoration:none'

/** The logo, or the name, which clients also show in the place of a picture that they block. */
function brand({ name, url, logo }: Shop, { link }: EmailTheme): string {
  const text = line(name)
  const shown = logo
    ? `<img src="${escapeHtml(logo.src)}" alt="${text}" width="${logo.width}" height="${logo.height}" class="logo" style="display:inline-block;border:0">`
    : text
  return `<tr><td align="center" style="padding:0 0 24px"><a class="brand" href="${escapeHtml(url)}" style="color:${link};${BRAND}">${shown}</a></td></tr>`
}

/** The e-mail as HTML: tables and styles of elements, because e-mail clients know little else. */
export function renderHtml(
  { preview: previewed, heading, greeting, blocks, reason }: Content,
  shop: Shop,
): string {
  const { light, dark } = emailThemesOf(shop.accent)
  const card = `<tr><td class="card" style="padding:32px;border:1px solid ${light.border};border-radius:16px;background:${light.card};color:${light.text}">
<h1 style="margin:0 0 16px;font-size:26px;line-height:32px;font-weight:600">${line(heading)}</h1>
<p style="margin:0 0 16px">${line(greeting)}</p>
${blocks.map((block) => htmlOf(block, light)).join('\n')}
</td></tr>`
  const footer = `<tr><td class="muted" align="center" style="padding:24px 16px 0;${small(light)}">${line(reason)}</td></tr>`
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${line(shop.subject)}</title>
<style>${styleIn(dark)}</style>
</head>
<body class="page" style="margin:0;padding:0;background:${light.page};color:${light.text};${FONT};font-size:16px;line-height:24px">
${preview(previewed)}
<div role="article" lang="en">
${layoutTable('', `<tr><td class="page" align="center" style="padding:32px 12px;background:${light.page}">${layoutTable('max-width:600px', `${brand(shop, light)}${card}${footer}`)}</td></tr>`)}
</div>
</body>
</html>
`
}
