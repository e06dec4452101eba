/** The template of each kind of e-mail, and the shop around its contents. */
import type { EmailKind } from '#app/emails/admin-contract.ts'
import type { OrderAmounts } from '#app/orders/server/invoice.ts'
import type { EmailFacts, Facts } from '../facts.ts'
import type { MailingShop } from '../settings.ts'
import { accountTemplates } from './account.ts'
import { greetingOf, html, oneLine, text } from './html.ts'
import { orderTemplates } from './order.ts'
import { type Part, PLAIN_TABLE, RULE } from './parts.ts'
import { darkRulesOf, withStyles } from './styles.ts'

/** The sources of the body beside its facts. */
type BodySources = {
  /** With its secret; empty for a kind without one. */
  link: string
  /** Throws for an e-mail that is not about an order. */
  order: OrderAmounts
  /** How to pay the order without a provider, as lines of text. */
  instructions: string[]
  /** The titles of the attached legal texts. */
  attached: string[]
}

type Content = {
  subject: string
  /** Shown beside the subject in lists of e-mails. */
  preview: string
  heading: string
  body: (sources: BodySources) => Part[]
  /** Why the recipient gets this e-mail. */
  reason: string
}

/** The templates of all kinds; the shop is that of today. */
export type Templates = {
  [Kind in EmailKind]: (facts: Facts[Kind], shop: MailingShop) => Content
}

const TEMPLATES: Templates = { ...accountTemplates, ...orderTemplates }

const MAX_SUBJECT = 150

/** The content, with a subject of one line, whatever the shop's name contains. */
export function contentOf<Kind extends EmailKind>(
  { kind, facts }: EmailFacts<Kind>,
  shop: MailingShop,
): Content {
  const content = TEMPLATES[kind](facts, shop)
  return { ...content, subject: oneLine(content.subject, MAX_SUBJECT) }
}

export type Sources = BodySources & {
  shop: MailingShop
  /** The picture of the logo: its URL and its size in the e-mail. Null shows the name of the shop. */
  logo: { src: string; width: number; height: number } | null
}

/** The logo, or the name, which clients also show in the place of a picture that they block. */
const brandOf = ({ shop, logo }: Sources) =>
  logo
    ? html`<img src="${logo.src}" alt="${shop.name}" width="${String(logo.width)}" height="${String(logo.height)}" class="logo">`
    : shop.name

export function renderEmail(email: EmailFacts & { name: string }, sources: Sources) {
  const { shop } = sources
  const { subject, preview, heading, body, reason } = contentOf(email, shop)
  const greeting = greetingOf(email.name)
  const parts = body(sources)
  // clients show the hidden text after the subject
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
<tr><td class="top" align="center"><a class="brand link" href="${shop.url}">${brandOf(sources)}</a></td></tr>
<tr><td class="card">
<h1 class="heading">${heading}</h1>
<p class="paragraph">${greeting}</p>
${parts.map((part) => part.html)}
</td></tr>
<tr><td class="muted footer" align="center">${reason}</td></tr>
</table>
</td></tr></table>
</div>
</body>
</html>
`
  const texts = [greeting, ...parts.map((part) => part.text), RULE]
  const footer = text`${reason}\n${shop.name}, ${shop.url}\n`
  return {
    subject,
    html: withStyles(page.html, shop.accent),
    text: [...texts, footer].join('\n\n'),
  }
}
