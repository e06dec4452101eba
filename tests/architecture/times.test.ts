/** No test asserts an absolute time: machines differ, and are busy. */
import { parseSync, Visitor, type VisitorObject } from 'vite'
import { checkRules } from './check-rules.ts'
import { isTest } from './paths.ts'
import type { Source } from './source.ts'

type Node<Type extends keyof VisitorObject> = Parameters<NonNullable<VisitorObject[Type]>>[0]

/** What reads a clock, or measures: its results are times. */
const CLOCKS =
  /\b(performance\.now|Date\.now|process\.(cpuUsage|threadCpuUsage|hrtime)|longestTurn|allThreads|yardstick|pageYardstick)\b/
/** Matchers of an upper bound. A lower one holds on the slowest machine. */
const UPPER = /^toBeLessThan(OrEqual)?$/
/** A wait that ends sooner fails on a busy machine. What it waits for ends it. */
const SHORTEST_WAIT_MS = 5000
const WORD = /[A-Za-z_$][\w$]*/g

type Span = { start: number; end: number }
type Assigned = { names: string[]; value: string }

/** The text of what an expression has: of a function, what it returns. */
function textOfValue(text: string, node: Span, returned: Span[]): string {
  const textOf = ({ start, end }: Span) => text.slice(start, end)
  const isInside = ({ start, end }: Span) => start >= node.start && end <= node.end
  const whole = textOf(node)
  const isFunction = /^(async )?(function\b|\([^=]*\)(: [^=]+)? =>|\w+ =>|<)/.test(whole)
  const inner = returned.filter(isInside)
  if (!isFunction) return whole
  return inner.length > 0 ? inner.map(textOf).join('\n') : whole
}

/** The names that are declared or assigned, each with the text of its value. */
function assignmentsOf(text: string, { program }: ReturnType<typeof parseSync>): Assigned[] {
  const returned: Span[] = []
  const found: { names: Span; value: Span }[] = []
  new Visitor({
    ReturnStatement: ({ argument }: Node<'ReturnStatement'>) => {
      if (argument) returned.push(argument)
    },
    VariableDeclarator: ({ id, init }: Node<'VariableDeclarator'>) => {
      if (init) found.push({ names: id, value: init })
    },
    AssignmentExpression: ({ left, right }: Node<'AssignmentExpression'>) => {
      found.push({ names: left, value: right })
    },
    FunctionDeclaration: (declared: Node<'FunctionDeclaration'>) => {
      if (declared.id) found.push({ names: declared.id, value: declared })
    },
    // a time that is added to a list
    CallExpression: ({ callee, arguments: [given] }: Node<'CallExpression'>) => {
      if (callee.type !== 'MemberExpression' || !given) return
      if (text.slice(callee.property.start, callee.property.end) !== 'push') return
      found.push({ names: callee.object, value: given })
    },
  }).visit(program)
  return found.map(({ names, value }) => ({
    names: text.slice(names.start, names.end).match(WORD) ?? [],
    value: textOfValue(text, value, returned),
  }))
}

/** Tests whether a text has a time: it reads a clock, or names what is made of its readings. */
function timesIn(assigned: Assigned[]) {
  const names = new Set<string>()
  const isTime = (text: string) =>
    CLOCKS.test(text) || (text.match(WORD) ?? []).some((word) => names.has(word))
  for (let before = -1; before < names.size; ) {
    before = names.size
    for (const { names: own, value } of assigned)
      if (isTime(value)) for (const name of own) names.add(name)
  }
  return isTime
}

/** The upper bounds of times that are no multiple of another time. */
function absoluteBounds({ path, text }: Source): string[] {
  if (!isTest(path) || !CLOCKS.test(text)) return []
  const parsed = parseSync(path, text)
  const isTime = timesIn(assignmentsOf(text, parsed))
  const found: string[] = []
  const textOf = ({ start, end }: Span) => text.slice(start, end)
  new Visitor({
    CallExpression: ({ callee, arguments: [bound] }: Node<'CallExpression'>) => {
      if (callee.type !== 'MemberExpression' || !bound) return
      // the subject, without the message of a failure
      const [subject] = callee.object.type === 'CallExpression' ? callee.object.arguments : []
      if (!UPPER.test(textOf(callee.property)) || !subject || !isTime(textOf(subject))) return
      if (!isTime(textOf(bound))) found.push(`${textOf(callee)}(${textOf(bound)})`)
    },
  }).visit(parsed.program)
  return found
}

/** Waits that end soon. Those in a block that is tried again are no bounds: the block's own wait is. */
function shortWaits({ path, text }: Source): string[] {
  if (!isTest(path)) return []
  const textOf = ({ start, end }: Span) => text.slice(start, end)
  const found: string[] = []
  const waits: Span[] = []
  const repeated: Span[] = []
  new Visitor({
    Property: (property: Node<'Property'>) => {
      const { key, value } = property
      const ms = Number(textOf(value).replaceAll('_', ''))
      if (textOf(key) === 'timeout' && ms > 0 && ms < SHORTEST_WAIT_MS) waits.push(property)
    },
    CallExpression: ({ callee, arguments: given }: Node<'CallExpression'>) => {
      if (callee.type !== 'MemberExpression') return
      if (textOf(callee.property) === 'toPass') repeated.push(callee.object)
      // its default is a second
      if (/^vi\.wait(For|Until)$/.test(textOf(callee)) && given.length < 2)
        found.push(`${textOf(callee)} without a timeout`)
    },
  }).visit(parseSync(path, text).program)
  const isRepeated = (wait: Span) =>
    repeated.some(({ start, end }) => wait.start >= start && wait.end <= end)
  return [...found, ...waits.filter((wait) => !isRepeated(wait)).map(textOf)]
}

checkRules('times', [
  {
    rule: 'no test asserts an absolute time: a bound is a multiple of something measured in the same run, or a count',
    breaks: absoluteBounds,
    planted: {
      'app/cart/a.test.ts': `
        const began = performance.now()
        await work()
        const waited = performance.now() - began
        expect(waited).toBeLessThan(400)`,
      'tests/a.test.ts': 'expect(Date.now() - begin).toBeLessThan(MINUTE)',
      'tests/b.test.ts': `
        const turns = [await costOf(upload), await costOf(upload)]
        expect(Math.min(...turns.map(({ longestTurn }) => longestTurn))).toBeLessThan(100)`,
      'tests/e2e/c.spec.ts': `
        const open = (page) => page.evaluate(() => {
          const startedAt = performance.now()
          return performance.now() - startedAt
        })
        const times = []
        times.push(await open(page))
        expect(Math.min(...times)).toBeLessThanOrEqual(700)`,
      'tests/d.test.ts': `
        const before = process.threadCpuUsage()
        const { user, system } = process.threadCpuUsage(before)
        const held = (user + system) / 1000
        expect(held).toBeLessThan(200)`,
    },
  },
  {
    rule: 'no wait ends soon: it ends with what it waits for',
    breaks: shortWaits,
    planted: {
      'tests/a.test.ts': 'await expect.poll(seen, { timeout: 1000, interval: 20 }).toBe(true)',
      'server/b.test.ts': 'const SOON = { timeout: 3000 }',
      'app/cart/c.test.ts': 'await vi.waitFor(() => expect(run).toHaveBeenCalled())',
      'tests/e2e/d.spec.ts': `
        await expect(async () => {
          await expect(list).toHaveCount(1, { timeout: 100 })
        }).toPass({ timeout: 2000 })`,
    },
  },
])
