/**
 * Characters that are not seen: format characters such as zero-width spaces, byte order marks and marks of
 * direction. Text that is copied from mails, chats and spreadsheets has them.
 */

const FORMAT = /\p{Cf}/gu
/** Format characters without the joiners of Persian, Hindi and emoji. */
const NO_JOINER = /(?![\u200c\u200d])\p{Cf}/gu
/** Joiners that join nothing. */
const LOOSE_JOINER = /(?<!\S)[\u200c\u200d]+|[\u200c\u200d]+(?!\S)/g
/** Characters that override or isolate the direction of the text after them, which can disguise a name. */
const BIDI_CONTROLS = /[\u202a-\u202e\u2066-\u2069]/g

/** What the schema of a text removes before its other rules apply. */
export const STRIPPED = {
  /** Of a code, such as that of a coupon, a SKU or a phone. */
  code: (text: string) => text.replace(FORMAT, ''),
  /** Of the words of a search and of an e-mail address, in which joiners are a part of words. */
  words: (text: string) => text.replace(NO_JOINER, '').replace(LOOSE_JOINER, ''),
  /** Of a name. */
  name: (text: string) => text.replace(BIDI_CONTROLS, ''),
} as const

export type Stripped = keyof typeof STRIPPED

/** A code as it is compared and stored: without format characters and blanks around it. */
export const trimCode = (code: string) => STRIPPED.code(code).trim()
