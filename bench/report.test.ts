import { expect, it } from 'vitest'
import { sectionOf, withResult, withSection, withTargets } from './report.ts'

const target = (measure: string, reached = true) => ({
  measure,
  target: '≤ 1',
  measured: '0.5',
  reached,
})
const DOCUMENT = withSection(withSection('# Title\n', 'a', 'first'), 'b', 'second')

it('writes a section anew, and leaves the others as they are', () => {
  const rerun = withSection(DOCUMENT, 'a', 'again')
  expect([sectionOf(rerun, 'a'), sectionOf(rerun, 'b')]).toEqual(['again', 'second'])
  expect(rerun.startsWith('# Title\n')).toBe(true)
  expect(withSection(rerun, 'a', 'first')).toBe(DOCUMENT)
  expect(sectionOf(rerun, 'c')).toBe('')
})

it('keeps the targets of other parts', () => {
  const first = withTargets(DOCUMENT, 'a', { targets: [target('x'), target('y')], when: 'then' })
  const both = withTargets(first, 'b', { targets: [target('z', false)], when: 'now' })
  const rerun = withTargets(both, 'a', { targets: [target('y')], when: 'now' })
  const rows = sectionOf(rerun, 'targets').split('\n').slice(2)
  expect(rows.map((row) => row.split('|').map((cell) => cell.trim()))).toEqual([
    ['', 'a', 'y', '≤ 1', '0.5', 'yes', 'now', ''],
    ['', 'b', 'z', '≤ 1', '0.5', 'no', 'now', ''],
  ])
})

it('writes with a part how it was measured', () => {
  const result = { text: 'fast', targets: [target('x')] }
  const context = { result, when: 'today', machine: 'today: one core' }
  const written = withResult(DOCUMENT, { name: 'a', title: 'A part' }, context)
  expect(sectionOf(written, 'a')).toBe(
    '## A part\n\n`npm run bench -- a`, today: one core.\n\nfast',
  )
})
