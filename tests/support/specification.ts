/** The sentences of the specification, and the titles of the tests that say them. */
import { readFileSync } from 'node:fs'

/** Between the sentences of one title. */
const SEPARATOR = ' · '

/** The title of a test: sentences of the specification, word for word. */
export const says = (...sentences: string[]) => sentences.join(SEPARATOR)

/** The sections that say what is seen or done. */
const TESTED = ['2', '4', '8', '9']
const SENTENCE_END = /(?<=[.!?])\s+(?=[A-Z'])/
const TABLE_RULE = /^\|[-| ]+\|$/

/** The text of the specification, without what was decided about it. */
export const specificationText = () =>
  readFileSync(new URL('../../docs/specification.md', import.meta.url), 'utf8').split(
    '\n## Decided',
  )[0] ?? ''

/** Its sentences about what is seen or done: of lists and paragraphs each sentence, of tables each row. */
export function sentencesOf(text: string): string[] {
  const sections = text
    .split(/^## /m)
    .filter((section) => TESTED.includes(section.split('.')[0] ?? ''))
  return sections.flatMap((section) =>
    section
      .split('\n')
      .slice(1)
      .filter((line) => line.trim() !== '' && !line.startsWith('#') && !TABLE_RULE.test(line))
      .flatMap((line) =>
        line.startsWith('|')
          ? [line.replace(/^\|\s*|\s*\|$/g, '')]
          : line.replace(/^- /, '').split(SENTENCE_END),
      ),
  )
}
