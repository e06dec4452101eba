import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))

it('loads neither metrics nor traces where nobody wants them', () => {
  // prints each package that is resolved while the server's modules are loaded
  const script = `
    import { registerHooks } from 'node:module'
    const seen = new Set()
    registerHooks({ resolve(specifier, context, next) {
      seen.add(specifier)
      return next(specifier, context)
    } })
    await import('#server/app.ts')
    await import('#server/start-shop.ts')
    console.log([...seen].join('\\n'))`
  const loaded = execFileSync(process.execPath, ['--input-type=module', '-e', script], {
    cwd: ROOT,
    encoding: 'utf8',
  }).split('\n')
  expect(loaded).toContain('fastify')
  expect(loaded.filter((name) => /prom-client|opentelemetry/.test(name))).toEqual([])
})
