import type { Block, Content } from './content.ts'
import { oneLine } from './plain.ts'

const RULE = '-'.repeat(40)

function textOf(block: Block): string {
  switch (block.type) {
    case 'paragraph':
      return oneLine(block.text, 2000)
    case 'button':
      return `${oneLine(block.label)}:\n${block.url}`
    case 'details':
      return block.rows.map(([name, value]) => `${oneLine(name)}: ${oneLine(value)}`).join('\n')
    case 'table':
      return [
        ...block.lines.map(({ name, detail, amount }) =>
          [oneLine(name), detail && oneLine(detail), amount].filter(Boolean).join('  '),
        ),
        RULE,
        ...block.sums.map(({ label, amount }) => `${oneLine(label)}: ${amount}`),
      ].join('\n')
  }
}

/** The e-mail as plain text. */
export function renderText(
  { greeting, blocks, reason }: Content,
  { name, url }: { name: string; url: string },
): string {
  const parts = [
    greeting,
    ...blocks.map(textOf),
    RULE,
    `${oneLine(reason)}\n${oneLine(name)}, ${url}`,
  ]
  return `${parts.join('\n\n')}\n`
}
