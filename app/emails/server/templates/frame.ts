/** An e-mail: its content, and the shop around it. */
import type { MailingShop } from '../settings.ts'
import { greetingOf, html, text } from './html.ts'
import { type Part, PLAIN_TABLE, RULE } from './parts.ts'
import { darkRulesOf, withStyles } from './styles.ts'

/** The picture of the shop's logo: its URL and its size in the e-mail. */
export type LogoPicture = { src: string; width: number; height: number }

export type Content = {
  subject: string
  /** Shown beside the subject in lists of e-mails. */
  preview: string
  heading: string
  /** Why the recipient gets this e-mail. */
  reason: string
}

type Shown = Content & {
  /** The name of the recipient. */
  name: string
  parts: Part[]
  shop: MailingShop
  /** Null shows the name of the shop. */
  logo: LogoPicture | null
}

/** The logo, or the name, which clients also show in the place of a picture that they block. */
const brandOf = ({ shop, logo }: Shown) =>
  logo
    ? html`<img src="${logo.src}" alt="${shop.name}" width="${String(logo.width)}" height="${String(logo.height)}" class="logo">`
    : shop.name

/** Clients show the hidden text after the subject. */
export const htmlOf = (email: Shown): string => {
  const { subject, preview, heading, name, parts, reason, shop } = email
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${subject}</title>
<style>${{ html: darkRulesOf(shop.accent) }}</style>
</head>
<body class="body page">
<div class="hidden">${preview}</div>
<div role="article" lang="en">
<table role="presentation" ${PLAIN_TABLE}><tr><td class="around page" align="center">
<table role="presentation" ${PLAIN_TABLE} class="column">
<tr><td class="top" align="center"><a class="brand link" href="${shop.url}">${brandOf(email)}</a></td></tr>
<tr><td class="card">
<h1 class="heading">${heading}</h1>
<p class="paragraph">${greetingOf(name)}</p>
${parts.map((part) => part.html)}
</td></tr>
<tr><td class="muted footer" align="center">${reason}</td></tr>
</table>
</td></tr></table>
</div>
</body>
</html>
`
  return withStyles(page.html, shop.accent)
}

export const textOf = ({ name, parts, reason, shop }: Shown): string =>
  [
    greetingOf(name),
    ...parts.map((part) => part.text),
    RULE,
    text`${reason}\n${shop.name}, ${shop.url}\n`,
  ].join('\n\n')
