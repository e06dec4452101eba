/** Descriptions of other shops' files are HTML. Loaded with the first one: its packages are large. */
import { fromHtml } from 'hast-util-from-html'
import { sanitize } from 'hast-util-sanitize'
import { toMdast } from 'hast-util-to-mdast'
import { gfmTableToMarkdown } from 'mdast-util-gfm-table'
import { defaultHandlers, toMarkdown } from 'mdast-util-to-markdown'
import { toString as textIn } from 'mdast-util-to-string'
import { markdownProblem } from '#app/settings/text-model.ts'

type Mdast = Parameters<typeof toMarkdown>[0]

const SCHEMA = {
  tagNames:
    'a b blockquote br code del div em h1 h2 h3 h4 h5 h6 hr i li ol p pre s strike strong table tbody td th thead tr ul'.split(
      ' ',
    ),
  attributes: { a: ['href'] },
  protocols: { href: ['http', 'https', 'mailto', 'tel'] },
  // by default the content of an element stays
  strip: 'script style template noscript iframe object svg math select textarea button title'.split(
    ' ',
  ),
}

/** The time of the parser and of the conversion grows with these, of some shapes with their square. */
const MAX_LENGTH = 64 * 1024
const MAX_TAGS = 1000
const MAX_DEPTH = 40

/** Elements that begin a line: in HTML without one, line ends are those of the text. */
const BLOCK = /<(?:p|div|br|li|ul|ol|h[1-6]|table|tr|blockquote|section|pre)[\s/>]/i
const LINE_END = /\r\n?|\n/g

const WITHOUT_TEXT = /<(script|style)\b[\s\S]*?(?:<\/\1\s*>|$)/gi
const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', nbsp: ' ' }

/** The text between tags, for HTML that would take too long to convert. */
const withoutTags = (html: string) =>
  html
    .replace(WITHOUT_TEXT, ' ')
    .replace(/<[^<>]*>/g, ' ')
    .replace(/&(amp|lt|gt|quot|nbsp);/g, (whole, name: string) => ENTITIES[name] ?? whole)
    .replace(/[^\S\n]+/g, ' ')
    .trim()

/** Whether a tree has at most so many levels. Counts without recursion, of which a hostile tree needs too much. */
function isShallow(tree: ReturnType<typeof fromHtml>): boolean {
  let level: object[] = [tree]
  for (let depth = 0; depth <= MAX_DEPTH; depth++) {
    level = level.flatMap((node) => ('children' in node ? (node.children as object[]) : []))
    if (level.length === 0) return true
  }
  return false
}

/** `<`, which is no HTML in a description, and `&` without an entity stay as they are. */
const AS_TYPED = [
  ['<', '\u{f0000}'],
  ['&', '\u{f0001}'],
] as const
const hide = (text: string) =>
  text
    .replace(/[\u{f0000}\u{f0001}]/gu, '')
    .replaceAll('<', AS_TYPED[0][1])
    .replace(/&(?![#a-z0-9]+;)/gi, AS_TYPED[1][1])
const reveal = (text: string) =>
  AS_TYPED.reduce((shown, [character, hidden]) => shown.replaceAll(hidden, character), text)

const MARKED = ['strong', 'emphasis', 'delete', 'link']
const space = (): Mdast => ({ type: 'text', value: ' ' })

/** A marked part with the blanks at its ends outside, where Markdown needs them; nothing of an empty one. */
function unpadded(node: Mdast): Mdast[] {
  if (!MARKED.includes(node.type)) return [node]
  const text = textIn(node)
  if (text.trim() === '') return text === '' ? [] : [space()]
  const parts = 'children' in node ? (node.children as Mdast[]) : []
  // it led elsewhere
  if (node.type === 'link' && node.url === '') return parts
  const [first, last] = [parts[0], parts.at(-1)]
  if (first?.type === 'text') first.value = first.value.trimStart()
  if (last?.type === 'text') last.value = last.value.trimEnd()
  return [
    ...(/^\s/.test(text) ? [space()] : []),
    node,
    // a mark after punctuation does not close before a letter
    ...(/\s$/.test(text) || /[^\s\p{L}\p{N}]$/u.test(text) ? [space()] : []),
  ]
}

/** Prepares the texts of a tree for Markdown. */
function prepare(node: Mdast): void {
  if (node.type === 'text') node.value = hide(node.value)
  if (!('children' in node)) return
  const parts = node.children as Mdast[]
  parts.forEach(prepare)
  Object.assign(node, { children: parts.flatMap(unpadded) })
}

const OPTIONS: Parameters<typeof toMarkdown>[1] = {
  bullet: '-',
  rule: '-',
  resourceLink: true,
  extensions: [gfmTableToMarkdown({ tablePipeAlign: false })],
  handlers: {
    // a line end within a paragraph is one of the text
    break: (node, parent, state, info) =>
      defaultHandlers.break(node, parent, state, info).replace('\\', ''),
  },
}

/**
 * HTML as Markdown, without scripts, styles, pictures and links to other protocols than the web, e-mail and telephone.
 * Of HTML that would take too long, or make Markdown that does, the text.
 */
export function markdownOf(given: string): string {
  const html = BLOCK.test(given) ? given : given.replace(LINE_END, '<br>')
  const tags = html.split('<').length - 1
  if (html.length > MAX_LENGTH || tags > MAX_TAGS) return withoutTags(given)
  const tree = fromHtml(html, { fragment: true })
  if (!isShallow(tree)) return withoutTags(given)
  const markdown = toMdast(sanitize(tree, SCHEMA), { document: true })
  prepare(markdown)
  const text = reveal(
    toMarkdown(markdown, OPTIONS).replace(/&#x([0-9A-F]+);/g, (_, code: string) =>
      String.fromCodePoint(Number.parseInt(code, 16)),
    ),
  )
  const clean = text
    .replace(/\u00a0/g, ' ')
    .replace(/ +$/gm, '')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
  return markdownProblem(clean) === null ? clean : withoutTags(given)
}
