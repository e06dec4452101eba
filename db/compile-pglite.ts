import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { setFlagsFromString } from 'node:v8'

const WASM = fileURLToPath(import.meta.resolve('@electric-sql/pglite/pglite.wasm'))

/** The memory that the module declares, in pages of 64 KB. It is reserved, and hardly used. */
const MEMORY = { initial: 2048, maximum: 32_768 }
/** No memory is there, so that the first read of the text traps. */
const NO_ADDRESS = 0x7f_ff_ff_f0

/** Limits V8's optimizing compiler to one function of the module. */
const optimizeOnly = (index: number) => setFlagsFromString(`--wasm-tier-up-filter=${index}`)
/** An imported function, which is never compiled. */
const NONE = 0
const ALL = -1

/** Creates an instance whose imports do nothing. */
function createScratch(module: WebAssembly.Module): Promise<WebAssembly.Instance> {
  const imports: Record<string, Record<string, WebAssembly.ImportValue>> = {}
  for (const { module: from, name, kind } of WebAssembly.Module.imports(module)) {
    const value = kind === 'memory' ? new WebAssembly.Memory(MEMORY) : () => 0
    imports[from] = { ...imports[from], [name]: value }
  }
  return WebAssembly.instantiate(module, imports)
}

/**
 * Compiles PGlite, with PostgreSQL's parser by V8's baseline compiler only. The optimizing compiler
 * would take 600 MB for that one function, some seconds after the start, and make no statement
 * faster. V8 compiles a function at its first call, and decides then whether it may be optimized
 * later; instances of one module share the result.
 */
export async function compilePglite(): Promise<WebAssembly.Module> {
  const module = await WebAssembly.compile(await readFile(WASM))
  const { raw_parser: parse } = (await createScratch(module)).exports
  if (typeof parse !== 'function') throw new Error('PGlite exports no raw_parser.')
  optimizeOnly(NONE)
  try {
    parse(NO_ADDRESS, 0)
  } catch (error) {
    if (!(error instanceof WebAssembly.RuntimeError)) throw error
  } finally {
    optimizeOnly(ALL)
  }
  return module
}
