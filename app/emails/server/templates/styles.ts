/** The look of e-mails: styles of elements, because many clients read no others, and rules for a dark theme. */
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

/** Styles by class. */
type Styles = Record<string, string>

const SHAPES: Styles = {
  body: "margin:0;padding:0;font-family:Figtree,'Segoe UI',Roboto,Helvetica,Arial,sans-serif;font-size:16px;line-height:24px",
  hidden: 'display:none;max-height:0;overflow:hidden',
  around: 'padding:32px 12px',
  column: 'max-width:600px',
  top: 'padding:0 0 24px',
  brand: 'font-size:22px;line-height:32px;font-weight:700;text-decoration:none',
  logo: 'display:inline-block;border:0',
  card: 'padding:32px;border-radius:16px',
  heading: 'margin:0 0 16px;font-size:26px;line-height:32px;font-weight:600',
  paragraph: 'margin:0 0 16px;word-break:break-word',
  footer: 'padding:24px 16px 0',
  muted: 'font-size:14px;line-height:20px',
  action: 'margin:24px 0 8px',
  button:
    'display:inline-block;padding:12px 24px;border-radius:8px;font-weight:600;text-decoration:none',
  address: 'margin:0 0 16px;word-break:break-all',
  table: 'margin:16px 0',
  term: 'padding:4px 16px 4px 0',
  value: 'padding:4px 0;word-break:break-word',
  header: 'padding:0 0 8px',
  product: 'padding:12px 12px 12px 0;word-break:break-word',
  amount: 'padding:12px 0;white-space:nowrap',
  label: 'padding:8px 12px 0 0;word-break:break-word',
  sum: 'padding:8px 0 0;white-space:nowrap',
  total: 'font-weight:700;font-size:18px',
  part: 'font-weight:400',
}

const coloursOf = ({ page, card, border, text, muted, link, button, onButton }: EmailTheme) =>
  ({
    page: `background:${page};color:${text}`,
    card: `border:1px solid ${border};background:${card};color:${text}`,
    muted: `color:${muted}`,
    link: `color:${link}`,
    button: `background:${button};color:${onButton}`,
    cell: `border-bottom:1px solid ${border}`,
  }) satisfies Styles

/** In a dark client, a light plate behind the logo: the letters of most logos are dark. */
const LOGO_PLATE = 'padding:6px 10px;border-radius:8px;background:#ffffff'

/** Rules for clients with a dark theme. Styles of elements win otherwise, so these are important. */
export function darkRulesOf(accent: string): string {
  const styles = Object.entries({ ...coloursOf(emailThemesOf(accent).dark), logo: LOGO_PLATE })
  const rules = styles.map(
    ([name, style]) => `.${name}{${style.replace(/;|$/g, (end) => `!important${end}`)}}`,
  )
  return `:root{color-scheme:light dark;supported-color-schemes:light dark}
@media (prefers-color-scheme:dark){\n${rules.join('\n')}\n}`
}

/** Gives each element the styles of its classes. Escaped texts contain no quotation mark, and so no class. */
export function withStyles(html: string, accent: string): string {
  const colours: Styles = coloursOf(emailThemesOf(accent).light)
  return html.replace(/class="([^"]+)"/g, (attribute, classes: string) => {
    const styles = classes.split(' ').flatMap((name) => [SHAPES[name] ?? [], colours[name] ?? []])
    return `${attribute} style="${styles.flat().join(';')}"`
  })
}
