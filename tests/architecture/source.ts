import { globSync, readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type ParseResult, parseSync, Visitor, type VisitorObject } from 'vite'
import { workAtImport } from './at-import.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))

export type Import = {
  /** As it is written. */
  specifier: string
  /** The file in this repository, or the package. */
  to: string
  typeOnly: boolean
}

export type Source = {
  /** From the root of the repository. */
  path: string
  text: string
  lines: number
  imports: Import[]
  /** Modules that it re-exports completely. */
  handsOn: string[]
  comments: string[]
  functions: { line: number; lines: number; jsx: boolean }[]
  /** Names of called methods: `b` of `a.b()`. */
  calls: Set<string>
  tags: Set<string>
  /** Names of JSX elements: `input` of `<input />`. */
  elements: Set<string>
  readsEnvironment: boolean
  /** Costly expressions that run when the module is loaded. */
  atImport: string[]
}

const packageOf = (specifier: string) =>
  specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/')

function resolve(from: string, specifier: string): string {
  if (specifier.startsWith('.')) return posix.join(posix.dirname(from), specifier)
  if (specifier.startsWith('#')) return specifier.slice(1)
  return packageOf(specifier)
}

function importsOf(path: string, text: string, { module }: ParseResult): Import[] {
  const found = module.staticImports.map(({ moduleRequest, entries }) => ({
    specifier: moduleRequest.value,
    typeOnly: entries.length > 0 && entries.every(({ isType }) => isType),
  }))
  for (const { entries } of module.staticExports) {
    for (const { moduleRequest, isType } of entries) {
      if (moduleRequest) found.push({ specifier: moduleRequest.value, typeOnly: isType })
    }
  }
  for (const { moduleRequest } of module.dynamicImports) {
    const written = text.slice(moduleRequest.start, moduleRequest.end)
    if (/^['"]/.test(written)) found.push({ specifier: written.slice(1, -1), typeOnly: false })
  }
  return found.map((one) => ({ ...one, to: resolve(path, one.specifier) }))
}

const handedOn = ({ module }: ParseResult) =>
  module.staticExports.flatMap(({ entries }) =>
    entries.flatMap(({ moduleRequest, importName }) =>
      moduleRequest && importName.kind !== 'Name' ? [moduleRequest.value] : [],
    ),
  )

type Span = { start: number; end: number }
type Node<Type extends keyof VisitorObject> = Parameters<NonNullable<VisitorObject[Type]>>[0]

/** Facts of the syntax tree, collected in one traversal. */
function walk({ program }: ParseResult, text: string) {
  const lineAt = (offset: number) => text.slice(0, offset).split('\n').length
  const functions: Span[] = []
  const elements: Span[] = []
  const seen = {
    calls: new Set<string>(),
    tags: new Set<string>(),
    elements: new Set<string>(),
    readsEnvironment: false,
  }
  const onFunction = ({ start, end }: Span) => functions.push({ start, end })
  const onElement = ({ start, end }: Span) => elements.push({ start, end })
  const onOpening = ({ name }: Node<'JSXOpeningElement'>) => {
    seen.elements.add(text.slice(name.start, name.end))
  }
  const onTag = ({ tag }: Node<'TaggedTemplateExpression'>) => {
    seen.tags.add(text.slice(tag.start, tag.end).replace(/<.*/s, ''))
  }
  const onCall = ({ callee }: Node<'CallExpression'>) => {
    if (callee.type === 'MemberExpression' && callee.property.type === 'Identifier') {
      seen.calls.add(callee.property.name)
    }
  }
  const onMember = ({ start, end }: Span) => {
    if (/^process\??\.env$/.test(text.slice(start, end))) seen.readsEnvironment = true
  }
  new Visitor({
    FunctionDeclaration: onFunction,
    FunctionExpression: onFunction,
    ArrowFunctionExpression: onFunction,
    JSXElement: onElement,
    JSXFragment: onElement,
    JSXOpeningElement: onOpening,
    TaggedTemplateExpression: onTag,
    CallExpression: onCall,
    MemberExpression: onMember,
  }).visit(program)
  const measured = functions.map(({ start, end }) => ({
    line: lineAt(start),
    lines: lineAt(end) - lineAt(start) + 1,
    jsx: elements.some((element) => element.start >= start && element.end <= end),
  }))
  return { ...seen, functions: measured }
}

/** Parses one TypeScript file for the rules. */
export function parse(path: string, text: string): Source {
  const parsed = parseSync(path, text)
  const [error] = parsed.errors
  if (error) throw new Error(`${path}: ${error.message}`)
  return {
    path,
    text,
    lines: text.trimEnd().split('\n').length,
    imports: importsOf(path, text, parsed),
    handsOn: handedOn(parsed),
    comments: parsed.comments.map(({ value }) => value),
    atImport: workAtImport(parsed, text),
    ...walk(parsed, text),
  }
}

const FILES = '{*,{app,server,db,demo,bin,bench,tests,tools}/**/*}.{ts,tsx}'

/** Every file of the repository. */
export const readSources = (): Source[] =>
  globSync(FILES, { cwd: ROOT }).map((path) =>
    parse(path.replaceAll('\\', '/'), readFileSync(`${ROOT}${path}`, 'utf8')),
  )
