import { createElement, type ReactNode } from 'react'
import type { TextNode } from '#app/settings/contract.ts'

const CLASSES: Record<string, string> = {
  a: 'link',
  h2: 'text-xl',
  h3: 'text-xl',
  pre: 'whitespace-pre-line',
}

/** Blocks that run in the direction of their first letter. */
const DIRECTED = new Set(['p', 'h2', 'h3', 'h4', 'ul', 'ol', 'blockquote', 'table'])

/** A part of a text with its position, which is its key: a text does not change while it is shown. */
const partOf = (node: TextNode, at: number): ReactNode => {
  if (typeof node === 'string') return node
  const { tag, children, ...attributes } = node
  const given = {
    key: at,
    className: CLASSES[tag],
    ...(DIRECTED.has(tag) && { dir: 'auto' }),
    ...attributes,
  }
  return createElement(tag, given, ...children.map(partOf))
}

const isHeading = (node: TextNode | undefined, title: string) =>
  typeof node === 'object' &&
  /^h\d$/.test(node.tag) &&
  String(node.children).trim().toLowerCase() === title.toLowerCase()

/** `title` is the heading above the text, which is not repeated where the text begins with it. */
type Props = { nodes: TextNode[]; title?: string }

/** A text of the merchant, as the server has parsed it, in an element of the class `markdown`. */
export const MarkdownText = ({ nodes, title = '' }: Props) => (
  <>{(isHeading(nodes[0], title) ? nodes.slice(1) : nodes).map(partOf)}</>
)
