/** The look of e-mails: styles of elements, because many clients read no others, and rules for a dark theme. */
import type { CSSProperties } from 'react'
import { DEFAULT_ACCENT, themesOf } from '#app/settings/theme-model.ts'

/** The surfaces of e-mails, those of the shop's pages (`app/look.css`). */
const SURFACES = {
  light: { page: '#faf4e8', card: '#fffdf8', border: '#ecdfc9', text: '#33241a', muted: '#6b5a4c' },
  dark: { page: '#1c1612', card: '#2a211b', border: '#43362c', text: '#f3e9dc', muted: '#cbbdac' },
} as const

/** The primary colours of `app/look.css`. */
const DEFAULTS = {
  light: { primary: DEFAULT_ACCENT, 'primary-content': '#fffaf3' },
  dark: { primary: '#f08a5d', 'primary-content': '#2b1006' },
}

/** The colours of an e-mail in a light and in a dark client, with the merchant's accent colour. */
export function emailThemesOf(accent: string) {
  const accented = accent === DEFAULT_ACCENT ? DEFAULTS : themesOf(accent)
  const themeOf = (scheme: 'light' | 'dark') => ({
    ...SURFACES[scheme],
    link: accented[scheme].primary,
    button: accented[scheme].primary,
    onButton: accented[scheme]['primary-content'],
  })
  return { light: themeOf('light'), dark: themeOf('dark') }
}

type EmailTheme = ReturnType<typeof emailThemesOf>['light']

const FONT = {
  fontFamily: "Figtree,'Segoe UI',Roboto,Helvetica,Arial,sans-serif",
  fontSize: 16,
  lineHeight: '24px',
}

const smallOf = ({ muted }: EmailTheme) => ({ fontSize: 14, lineHeight: '20px', color: muted })
const ruleOf = ({ border }: EmailTheme) => `1px solid ${border}`

function frameStyles(theme: EmailTheme) {
  const { page, card, text, link } = theme
  return {
    body: { margin: 0, padding: 0, background: page, color: text, ...FONT },
    hidden: { display: 'none', maxHeight: 0, overflow: 'hidden' },
    page: { padding: '32px 12px', background: page },
    column: { maxWidth: 600 },
    top: { padding: '0 0 24px' },
    brand: {
      color: link,
      fontSize: 22,
      lineHeight: '32px',
      fontWeight: 700,
      textDecoration: 'none',
    },
    logo: { display: 'inline-block', border: 0 },
    card: { padding: 32, border: ruleOf(theme), borderRadius: 16, background: card, color: text },
    heading: { margin: '0 0 16px', fontSize: 26, lineHeight: '32px', fontWeight: 600 },
    paragraph: { margin: '0 0 16px', wordBreak: 'break-word' },
    footer: { padding: '24px 16px 0', ...smallOf(theme) },
  } satisfies Record<string, CSSProperties>
}

function partStyles(theme: EmailTheme) {
  const { link, button, onButton } = theme
  const small = smallOf(theme)
  const rule = ruleOf(theme)
  return {
    action: { margin: '24px 0 8px' },
    button: {
      display: 'inline-block',
      padding: '12px 24px',
      borderRadius: 8,
      background: button,
      color: onButton,
      fontWeight: 600,
      textDecoration: 'none',
    },
    address: { margin: '0 0 16px', ...small, wordBreak: 'break-all' },
    link: { color: link },
    table: { margin: '16px 0' },
    term: { padding: '4px 16px 4px 0', ...small },
    value: { padding: '4px 0', wordBreak: 'break-word' },
    columnHeading: { padding: '0 0 8px', borderBottom: rule, ...small },
    product: { padding: '12px 12px 12px 0', borderBottom: rule, wordBreak: 'break-word' },
    detail: small,
    amount: { padding: '12px 0', borderBottom: rule, whiteSpace: 'nowrap' },
    sumLabel: { padding: '8px 12px 0 0', wordBreak: 'break-word' },
    sum: { padding: '8px 0 0', whiteSpace: 'nowrap' },
    total: { fontWeight: 700, fontSize: 18 },
    part: { fontWeight: 400 },
  } satisfies Record<string, CSSProperties>
}

/** The styles of the elements in a theme. */
export const stylesOf = (theme: EmailTheme) => ({ ...frameStyles(theme), ...partStyles(theme) })

/** Behind the logo on a dark page: the letters of most logos are dark. */
const LOGO_PLATE = '#ffffff'

/** Rules for clients with a dark theme. Styles of elements win otherwise, so these are important. */
export const rulesOf = (
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
