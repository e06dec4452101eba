/** The themes of the shop: colours derived from the accent colour, with their contrast. */

/** The accent colour of app/app.css, which needs no derived colours. */
export const DEFAULT_ACCENT = '#b4441f'

/** The contrast of text by WCAG 2.2 AA. */
export const MIN_CONTRAST = 4.5

/** The backgrounds of app/app.css that have accented text: of pages and of surfaces. */
const BACKGROUNDS = { light: ['#faf4e8', '#fffdf8'], dark: ['#1c1612', '#2a211b'] } as const

type Triple = readonly [number, number, number]

/** Lightness from 0 to 1, chroma, and hue in degrees. */
type Oklch = { l: number; c: number; h: number }

const channelsOf = (hex: string): Triple => {
  const value = Number.parseInt(hex.slice(1), 16)
  return [(value >> 16) / 255, ((value >> 8) & 255) / 255, (value & 255) / 255]
}

const toLinear = (channel: number) =>
  channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4
const toGamma = (channel: number) =>
  channel <= 0.0031308 ? channel * 12.92 : 1.055 * channel ** (1 / 2.4) - 0.055

const linearOf = (hex: string) => channelsOf(hex).map(toLinear) as unknown as Triple

const luminanceOf = (hex: string) => {
  const [red, green, blue] = linearOf(hex)
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/** The contrast ratio of two colours (WCAG 2.2), from 1 to 21. */
export function contrastOf(one: string, other: string): number {
  const [darker = 0, lighter = 0] = [luminanceOf(one), luminanceOf(other)].sort((a, b) => a - b)
  return (lighter + 0.05) / (darker + 0.05)
}

/** https://bottosson.github.io/posts/oklab/ */
function oklchOf(hex: string): Oklch {
  const [r, g, b] = linearOf(hex)
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b)
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b)
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b)
  const a = 1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s
  const y = 0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s
  return {
    l: 0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    c: Math.hypot(a, y),
    h: (Math.atan2(y, a) * 180) / Math.PI,
  }
}

function linearFrom({ l: lightness, c, h }: Oklch): Triple {
  const a = c * Math.cos((h * Math.PI) / 180)
  const b = c * Math.sin((h * Math.PI) / 180)
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3
  return [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ]
}

const isDisplayable = (linear: Triple) => linear.every((one) => one > -0.0005 && one < 1.0005)

/** The colour in hexadecimal, with less chroma where sRGB cannot display it. */
function hexOf(colour: Oklch): string {
  const linear = linearFrom(colour)
  if (!isDisplayable(linear) && colour.c > 0.001) return hexOf({ ...colour, c: colour.c * 0.95 })
  const bytes = linear.map((one) => Math.round(toGamma(Math.min(1, Math.max(0, one))) * 255))
  return `#${bytes.map((byte) => byte.toString(16).padStart(2, '0')).join('')}`
}

/** The least contrast of the accent colour as text on the backgrounds of the light theme. */
export const contrastOfAccent = (accent: string) =>
  Math.min(...BACKGROUNDS.light.map((background) => contrastOf(accent, background)))

/** The lightest text on a colour, or the darkest where that has more contrast. */
const contentOn = (colour: string, { c, h }: Oklch) =>
  [hexOf({ l: 0.985, c: Math.min(c, 0.01), h }), hexOf({ l: 0.22, c: Math.min(c, 0.04), h })].sort(
    (a, b) => contrastOf(b, colour) - contrastOf(a, colour),
  )[0] ?? '#000000'

/** Lightens a colour until it has the contrast as text on the backgrounds of the dark theme. */
function lightened(colour: Oklch): string {
  const hex = hexOf(colour)
  const contrast = Math.min(...BACKGROUNDS.dark.map((one) => contrastOf(hex, one)))
  return contrast >= MIN_CONTRAST + 1.5 || colour.l > 0.97
    ? hex
    : lightened({ ...colour, l: colour.l + 0.01 })
}

/** The colours of a theme: each with that of text on it, which has the hue of the base. */
const coloursOf = (base: Oklch, primary: string, secondary: string, accent: string) => ({
  primary,
  'primary-content': contentOn(primary, base),
  secondary,
  'secondary-content': contentOn(secondary, base),
  accent,
  'accent-content': contentOn(accent, base),
})

export type ThemeColours = ReturnType<typeof coloursOf>

/**
 * The colours of the light and the dark theme. The accent colour itself is the primary colour of
 * the light theme; all others have its hue.
 */
export function themesOf(accent: string): { light: ThemeColours; dark: ThemeColours } {
  const base = oklchOf(accent)
  const { c, h } = base
  return {
    light: coloursOf(
      base,
      accent,
      hexOf({ l: 0.38, c: Math.min(c, 0.06), h }),
      hexOf({ l: 0.82, c: Math.min(c, 0.1), h }),
    ),
    dark: coloursOf(
      base,
      lightened({ l: 0.7, c: Math.min(c, 0.13), h }),
      lightened({ l: 0.76, c: Math.min(c, 0.06), h }),
      hexOf({ l: 0.84, c: Math.min(c, 0.09), h }),
    ),
  }
}

const declarations = (colours: ThemeColours) =>
  Object.entries(colours)
    .map(([name, hex]) => `--color-${name}:${hex}`)
    .join(';')

/**
 * The style sheet of an accent colour: empty for the default, whose colours are in app/app.css.
 * `data-theme` on the root element chooses a theme; without it, the visitor's system does.
 */
export function styleOf(accent: string): string {
  if (accent === DEFAULT_ACCENT) return ''
  const { light, dark } = themesOf(accent)
  const inDark = declarations(dark)
  return [
    `:root{${declarations(light)}}`,
    `@media (prefers-color-scheme:dark){:root:not([data-theme]){${inDark}}}`,
    `:root[data-theme=dark]{${inDark}}`,
  ].join('')
}
