/** Sentences of the specification are titles of tests; the others are listed here. */
import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseSync, Visitor, type VisitorObject } from 'vite'
import { expect, it } from 'vitest'
import { sentencesOf, specificationText } from '#tests/support/specification.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))

/** The other sentences, and why nothing of them can be seen. */
const OTHERS: Record<string, string> = {
  'Where the form sits in the frame is not shown.': 'says what is left open',
  'Route | Purpose': 'the head of a table',
  'Writing the cart back to storage after a change is not shown.': 'says what is left open',
  'Situation | Message': 'the head of a table',
  'Success messages:': 'the head of a list',
  'Page size of the product list and search results: not shown (the server decides).':
    'says what is left open',
  'Request timeout: none (0).': 'decided otherwise, in the table of the specification',
}

type Call = Parameters<NonNullable<VisitorObject['CallExpression']>>[0]

/** The sentences in the titles of a file: the texts that `says` gets. */
function titledIn(path: string): string[] {
  const found: string[] = []
  new Visitor({
    CallExpression: ({ callee, arguments: given }: Call) => {
      if (callee.type !== 'Identifier' || callee.name !== 'says') return
      for (const one of given)
        if (one.type === 'Literal' && typeof one.value === 'string') found.push(one.value)
    },
  }).visit(parseSync(path, readFileSync(path, 'utf8')).program)
  return found
}

const titled = globSync('tests/e2e/specification*.spec.ts', { cwd: ROOT }).flatMap((path) =>
  titledIn(`${ROOT}${path}`),
)

it('knows each sentence once: by a test, or as one that cannot be seen', () => {
  expect([...titled, ...Object.keys(OTHERS)].toSorted()).toEqual(
    sentencesOf(specificationText()).toSorted(),
  )
})

it('takes lists and paragraphs apart by sentences, and tables by rows', () => {
  const text =
    '## 1. A\nNo.\n## 2. B\n### C\n- One. Two {x}: a\n\n| p | q |\n|---|---|\n| r | s |\n'
  expect(sentencesOf(text)).toEqual(['One.', 'Two {x}: a', 'p | q', 'r | s'])
})
