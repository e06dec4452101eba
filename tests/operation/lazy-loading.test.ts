import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))

/** The names of the modules that are resolved in a process which runs these statements. */
function resolvedBy(statements: string): string[] {
  const script = `
    import { registerHooks } from 'node:module'
    const seen = new Set()
    registerHooks({ resolve(specifier, context, next) {
      seen.add(specifier)
      return next(specifier, context)
    } })
    ${statements}
    console.log([...seen].join('\\n'))`
  return execFileSync(process.execPath, ['-e', script], {
    cwd: ROOT,
    encoding: 'utf8',
  }).split('\n')
}

it('loads neither metrics nor traces where nobody wants them', () => {
  const loaded = resolvedBy(`
    await import('#server/app.ts')
    await import('#server/start-shop.ts')`)
  expect(loaded).toContain('fastify')
  expect(loaded.filter((name) => /prometheus|opentelemetry/.test(name))).toEqual([])
})

it('reads photos in another process, whose memory is returned', () => {
  const loaded = resolvedBy(`
    const { processPicture } = await import('#app/shared/server/pictures/process-picture.ts')
    const { readFileSync } = await import('node:fs')
    const { variants } = await processPicture(readFileSync('app/products/server/placeholder.jpg'))
    if (variants.length === 0) throw new Error('The photo was not read.')`)
  expect(loaded).toContain('#app/shared/model/photo.ts')
  // neither a decoder nor a parser reads what strangers upload in the process of the shop
  const packages = loaded.filter((name) => name && !/^(#|\.|node:|file:)/.test(name))
  expect(packages.filter((name) => !['typebox', 'ipaddr.js'].includes(name))).toEqual([])
})
