import { DEFAULT_ACCENT, themesOf } from '#app/settings/theme-model.ts'

/** The surfaces of e-mails, those of the shop's pages (`app/look.css`). */
const SURFACES = {
  light: {
    page: '#faf4e8',
    card: '#fffdf8',
    border: '#ecdfc9',
    text: '#33241a',
    muted: '#6b5a4c',
  },
  dark: {
    page: '#1c1612',
    card: '#2a211b',
    border: '#43362c',
    text: '#f3e9dc',
    muted: '#cbbdac',
  },
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

export type EmailTheme = ReturnType<typeof emailThemesOf>['light']
