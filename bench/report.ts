/** docs/benchmarks.md has a section for each part. Writing one leaves the others as they are. */
import type { Result, Target } from './part.ts'
import { table } from './table.ts'

const TARGETS = 'targets'
const HEADER = ['part', 'measure', 'target', 'measured', 'reached', 'when']

const marksOf = (name: string) => ({ begin: `<!-- ${name} -->`, end: `<!-- end of ${name} -->` })

/** The text between the marks of a section; empty where there is no such section. */
export function sectionOf(document: string, name: string): string {
  const { begin, end } = marksOf(name)
  const [, rest = ''] = document.split(begin)
  return rest.includes(end) ? (rest.split(end)[0] ?? '').trim() : ''
}

/** The document with this text in the section, which is added at the end where it is missing. */
export function withSection(document: string, name: string, text: string): string {
  const { begin, end } = marksOf(name)
  const section = `${begin}\n\n${text.trim()}\n\n${end}`
  const from = document.indexOf(begin)
  const to = document.indexOf(end)
  if (from < 0 || to < from) return `${document.trimEnd()}\n\n${section}\n`
  return document.slice(0, from) + section + document.slice(to + end.length)
}

const rowsIn = (markdown: string) =>
  markdown
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    )
    .slice(2)

const rowOf = (part: string, { measure, target, measured, reached }: Target, when: string) => [
  part,
  measure,
  target,
  measured,
  reached ? 'yes' : 'no',
  when,
]

/** The document with the targets of this part in the table of all targets. */
export function withTargets(
  document: string,
  part: string,
  { targets, when }: { targets: Target[]; when: string },
): string {
  const others = rowsIn(sectionOf(document, TARGETS)).filter(([other]) => other !== part)
  const rows = [...others, ...targets.map((target) => rowOf(part, target, when))]
  rows.sort(([a = ''], [b = '']) => a.localeCompare(b))
  return withSection(document, TARGETS, table(HEADER, rows))
}

/** The document with the result of a part. `when` goes with its targets, `machine` with its section. */
export function withResult(
  document: string,
  part: { name: string; title: string },
  { result, when, machine }: { result: Result; when: string; machine: string },
): string {
  const { text, targets } = result
  const section = `## ${part.title}\n\n\`npm run bench -- ${part.name}\`, ${machine}.\n\n${text}`
  return withSection(withTargets(document, part.name, { targets, when }), part.name, section)
}
