/** Texts of other people in an e-mail, made harmless. */
import { escapeXml } from '#app/seo/server/xml.ts'
import { STRIPPED } from '#app/shared/model/visible-text.ts'

/** Control characters and spaces; those of an amount do not break. */
const BREAKS = /(?:[^\S\u00a0\u202f]|\p{Cc})+/gu

/** One line without control characters, at most so many characters long. */
export function oneLine(text: string, max = Number.POSITIVE_INFINITY): string {
  const line = STRIPPED.name(text).replace(BREAKS, ' ').trim()
  const characters = [...line]
  return characters.length > max ? `${characters.slice(0, max - 1).join('')}…` : line
}

const MAX_NAME = 60
/**
 * A name with a slash, a colon, an at sign or a dot inside a word may be an address, and one with six
 * digits a telephone number.
 */
const ADDRESS_LIKE = /[/:@\\]|\S[.\u3002]\S|(\p{Nd}\P{Nd}*){6}/u

/**
 * The greeting. A name that looks like an address or a telephone number is left out: anybody can
 * register an e-mail of somebody else, and must not be able to make the shop send them links.
 */
export function greetingOf(name: string): string {
  const line = oneLine(name, MAX_NAME + 1)
  const isAddressLike = ADDRESS_LIKE.test(line.normalize('NFKC'))
  const isName = line !== '' && line.length <= MAX_NAME && !isAddressLike
  return isName ? `Hello ${line},` : 'Hello,'
}

export type Html = { html: string }
type Value = string | Html | Html[]

function markupOf(value: Value): string {
  if (typeof value === 'string') return escapeXml(oneLine(value))
  return Array.isArray(value) ? value.map(markupOf).join('') : value.html
}

/** HTML: each text in it is one line and escaped, HTML in it stays. */
export const html = (parts: TemplateStringsArray, ...values: Value[]): Html => ({
  html: String.raw({ raw: parts }, ...values.map(markupOf)),
})

/** Plain text: each text in it is one line. */
export const text = (parts: TemplateStringsArray, ...values: string[]): string =>
  String.raw({ raw: parts }, ...values.map((value) => oneLine(value)))
