/** Renders the merchant's Markdown as a tree of allowed elements. Loaded with the first text: its packages are large. */
import type { ElementContent, Nodes } from 'hast'
import { sanitize } from 'hast-util-sanitize'
import { fromMarkdown } from 'mdast-util-from-markdown'
import { gfmTableFromMarkdown } from 'mdast-util-gfm-table'
import { defaultHandlers, type Handlers, toHast } from 'mdast-util-to-hast'
import { gfmTable } from 'micromark-extension-gfm-table'
import { firstCharacters } from '#app/shared/server/first-characters.ts'
import type { TextNode } from '../contract.ts'

/** The elements of a text; others lose their tag, and script and style their content, too. */
const TAGS =
  'a blockquote br code del em h2 h3 h4 hr li ol p pre strong table tbody td th thead tr ul'.split(
    ' ',
  )

const SCHEMA = {
  tagNames: TAGS,
  attributes: { a: ['href'], ol: ['start'] },
  protocols: { href: ['http', 'https', 'mailto', 'tel'] },
  strip: ['script', 'style'],
}

/** The heading of the page comes first: those of the text begin below it. */
const below = (depth: number) => (depth < 3 ? depth + 1 : 4) as 2 | 3 | 4

const lineBreak = (): ElementContent => ({
  type: 'element',
  tagName: 'br',
  properties: {},
  children: [],
})

/** A line end within a paragraph is a line break: addresses and imprints are typed so. */
const linesOf = (value: string) =>
  value
    .split(/\r\n?|\n/)
    .flatMap((line, at): ElementContent[] => [
      ...(at > 0 ? [lineBreak()] : []),
      ...(line === '' ? [] : [{ type: 'text' as const, value: line }]),
    ])

// rows keep their own cells: filling each to the width of the first makes gigabytes of a short text
const handlers: Handlers = {
  text: (state, node) => {
    const text = defaultHandlers.text(state, node)
    return 'value' in text ? linesOf(text.value) : text
  },
  break: lineBreak,
  table: (state, node) => defaultHandlers.table(state, { ...node, align: null }),
  heading: (state, node) => defaultHandlers.heading(state, { ...node, depth: below(node.depth) }),
}
const extensions = [gfmTable()]
const mdastExtensions = [gfmTableFromMarkdown()]

/** Line ends between blocks are no part of the text. */
const isBlank = (node: Nodes) => node.type === 'text' && node.value.trim() === ''
const BLOCKS = ['ul', 'ol', 'table', 'thead', 'tbody', 'tr', 'blockquote']

function partsOf(node: Nodes): TextNode[] {
  if (node.type === 'text') return [node.value]
  if (node.type === 'root') return node.children.filter((one) => !isBlank(one)).flatMap(partsOf)
  if (node.type !== 'element') return []
  const { tagName: tag, properties } = node
  const kept = BLOCKS.includes(tag) ? node.children.filter((one) => !isBlank(one)) : node.children
  return [
    {
      tag,
      ...(typeof properties.href === 'string' && { href: properties.href }),
      ...(typeof properties.start === 'number' && { start: properties.start }),
      children: kept.flatMap(partsOf),
    },
  ]
}

/**
 * The elements of a text. Raw HTML is left out, and so are links to other protocols than the web,
 * e-mail and telephone.
 */
export function renderText(markdown: string): TextNode[] {
  const parsed = fromMarkdown(markdown, { extensions, mdastExtensions })
  return partsOf(sanitize(toHast(parsed, { handlers }), SCHEMA))
}

/** Elements within a word or a line; text of others is apart from what surrounds it. */
const INLINE = ['a', 'code', 'del', 'em', 'strong']

const plainOf = (nodes: TextNode[]): string =>
  nodes
    .map((node) => {
      if (typeof node === 'string') return node
      const text = plainOf(node.children)
      return INLINE.includes(node.tag) ? text : ` ${text} `
    })
    .join('')

const MAX_SUMMARY = 160

/** The beginning of a text without markup, for search engines. */
export function summaryOf(nodes: TextNode[]): string {
  const text = nodes
    .map((node) => plainOf([node]))
    .join(' ')
    .replace(/\s+/g, ' ')
    .trim()
  return [...text].length <= MAX_SUMMARY
    ? text
    : `${firstCharacters(text, MAX_SUMMARY - 1).trimEnd()}…`
}
