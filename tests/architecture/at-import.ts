/** Finds costly work that a module does while it is loaded. */
import { type ParseResult, Visitor, type VisitorObject } from 'vite'

type Node<Type extends keyof VisitorObject> = Parameters<NonNullable<VisitorObject[Type]>>[0]
type Call = Node<'CallExpression'> | Node<'NewExpression'>
type Span = { start: number; end: number }

/** Methods that call their argument at once. */
const AT_ONCE =
  /\.(map|flatMap|filter|forEach|reduce|reduceRight|some|every|find|sort|toSorted|from)$/

/** What loads the tables of languages, or compiles code. */
const COSTLY =
  /^(Intl\.\w+|Function|eval|WebAssembly\.\w+)$|\.(localeCompare|toLocale\w+|formatToParts)$/

/** The text of each costly expression and loop that runs at import: outside functions that are called later. */
export function workAtImport({ program }: ParseResult, text: string): string[] {
  const found: string[] = []
  const immediate = new Set<number>()
  let deferred = 0
  const textOf = ({ start, end }: Span) => text.slice(start, end)
  const enter = ({ start }: Span) => {
    if (!immediate.has(start)) deferred++
  }
  const leave = ({ start }: Span) => {
    if (!immediate.has(start)) deferred--
  }
  const onCall = (call: Call) => {
    if (deferred > 0) return
    if (COSTLY.test(textOf(call.callee))) found.push(textOf(call))
    const callee =
      call.callee.type === 'ParenthesizedExpression' ? call.callee.expression : call.callee
    const isAtOnce = call.type === 'NewExpression' || AT_ONCE.test(textOf(callee))
    for (const { start } of isAtOnce ? [callee, ...call.arguments] : [callee]) immediate.add(start)
  }
  const onLoop = (loop: Span) => {
    if (deferred === 0) found.push(textOf(loop))
  }
  new Visitor({
    FunctionDeclaration: enter,
    'FunctionDeclaration:exit': leave,
    FunctionExpression: enter,
    'FunctionExpression:exit': leave,
    ArrowFunctionExpression: enter,
    'ArrowFunctionExpression:exit': leave,
    CallExpression: onCall,
    NewExpression: onCall,
    ForStatement: onLoop,
    ForInStatement: onLoop,
    ForOfStatement: onLoop,
    WhileStatement: onLoop,
    DoWhileStatement: onLoop,
  }).visit(program)
  return found
}
