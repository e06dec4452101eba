/** The merchant's texts in an e-mail. */
import type { TextNode } from '#app/settings/contract.ts'

const BLOCKS = ['p', 'h2', 'h3', 'h4', 'blockquote', 'pre', 'tr']

function plainOf(node: TextNode): string {
  if (typeof node === 'string') return node
  const { tag, href, start = 1, children } = node
  if (tag === 'br') return '\n'
  if (tag === 'ol')
    return children.map((item, at) => `\n${start + at}. ${plainOf(item).trim()}\n`).join('')
  if (tag === 'ul') return children.map((item) => `\n- ${plainOf(item).trim()}\n`).join('')
  const text = children.map(plainOf).join(tag === 'tr' ? ' ' : '')
  if (tag === 'a') return href && href !== text ? `${text} (${href})` : text
  return BLOCKS.includes(tag) ? `\n${text}\n` : text
}

/** The lines of a text without markup: e-mails show them as they are. Line breaks of the merchant stay. */
export const linesOf = (nodes: TextNode[]): string[] =>
  nodes
    .map(plainOf)
    .join('\n')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
