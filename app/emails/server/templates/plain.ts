/** Texts of other people in an e-mail, made harmless. */

/** Characters that change the direction of the text after them, which can disguise an address. */
const BIDI_CONTROLS = /[\u202a-\u202e\u2066-\u2069]/g
const BREAKS = /[\s\p{Cc}\u2028\u2029]+/gu

/** One line without control characters, at most so many characters long. */
export function oneLine(text: string, most = 500): string {
  const characters = [...text.replace(BIDI_CONTROLS, '').replace(BREAKS, ' ').trim()]
  return characters.length > most
    ? `${characters.slice(0, most - 1).join('')}…`
    : characters.join('')
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
