/** Descriptions are Markdown: a product's own page shows them formatted, everything else as plain text. */
import type { DetailedProduct } from '#app/products/contract.ts'
import { markdownProblem } from '#app/settings/text-model.ts'

/** What Markdown gives a meaning: most descriptions have nothing of it, and are never parsed. */
const MARKUP = /[*_`#[\]<>~|\\&]|^[ \t]*(?:[-+]|\d{1,9}[.)])[ \t]/m

/** The marks of lines, links and emphasis, and what is left of each. */
const MARKS: [RegExp, string][] = [
  [/^[ \t]*(?:#{1,6}|>|[-+*])[ \t]+/gm, ''],
  [/!?\[([^\][\n]{0,300})\]\([^()\s]{0,500}\)/g, '$1'],
  [/(\*\*|__)(?=\S)([^\n]{1,1000}?\S|\S)\1/g, '$2'],
  [/(?<![\w*])\*(?=[^\s*])([^*\n]{0,1000}[^\s*])\*(?![\w*])/g, '$1'],
  [/(?<![\w_])_(?=[^\s_])([^_\n]{0,1000}[^\s_])_(?![\w_])/g, '$1'],
  [/`([^`\n]{1,1000})`/g, '$1'],
]

const PUNCTUATION = '!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~'
/** Stands for the first character of that punctuation; Unicode has one that is no character for each. */
const FIRST_HIDDEN = 0xfdd0

/** Escaped punctuation, such as `\*`, is no mark. */
const hideEscaped = (text: string) =>
  text.replace(/\\([!-/:-@[-`{-~])/g, (_, character: string) =>
    String.fromCharCode(FIRST_HIDDEN + PUNCTUATION.indexOf(character)),
  )
const revealEscaped = (text: string) =>
  text.replace(/[\ufdd0-\ufdef]/g, (hidden) =>
    PUNCTUATION.charAt(hidden.charCodeAt(0) - FIRST_HIDDEN),
  )

/** A description without the marks of Markdown. */
export const plainText = (description: string): string =>
  MARKUP.test(description)
    ? revealEscaped(
        MARKS.reduce((text, [mark, rest]) => text.replace(mark, rest), hideEscaped(description)),
      )
    : description

/**
 * The elements of a description with its plain text; undefined for one without markup, or that would take too
 * long to parse. HTML is no part of it: it is shown as it was typed.
 */
export async function formattedText(description: string): Promise<DetailedProduct['formatted']> {
  if (!MARKUP.test(description) || markdownProblem(description) !== null) return undefined
  const { renderText } = await import('#app/settings/server/text.ts')
  return {
    nodes: renderText(description.replaceAll('<', '&lt;')),
    plain: plainText(description),
  }
}
