import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type RequestListener } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, describe, expect, it } from 'vitest'

const ROOT = fileURLToPath(new URL('../', import.meta.url))

const cache = await mkdtemp(join(tmpdir(), 'haat-audit-'))
afterAll(() => rm(cache, { recursive: true }))

const servers: ReturnType<typeof createServer>[] = []
afterEach(() => {
  for (const server of servers.splice(0)) server.close()
})

/** Runs the audit against a registry that answers so. */
async function audit(answer: RequestListener) {
  const server = createServer(answer).listen(0, '127.0.0.1')
  servers.push(server)
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const npm = spawn(process.execPath, ['bin/audit.ts'], {
    cwd: ROOT,
    env: {
      ...process.env,
      npm_config_registry: `http://127.0.0.1:${port}/`,
      npm_config_fetch_retries: '0',
      npm_config_cache: cache,
    },
  })
  let said = ''
  for (const stream of [npm.stdout, npm.stderr]) stream.on('data', (text) => (said += text))
  const [code] = await once(npm, 'close')
  return { code, said: said.trim() }
}

const VULNERABLE = {
  fastify: [
    {
      ...{ id: 1, url: 'https://example.com/1', title: 'Lets anybody in', severity: 'high' },
      ...{ vulnerable_versions: '<99', cwe: [], cvss: { score: 9, vectorString: null } },
    },
  ],
}
const minor = { fastify: [{ ...VULNERABLE.fastify[0], id: 2, severity: 'low' }] }

const { version } = createRequire(import.meta.url)('fastify/package.json')
const FASTIFY = {
  name: 'fastify',
  'dist-tags': { latest: version },
  versions: { [version]: { name: 'fastify', version, dist: { tarball: 'http://x/x.tgz' } } },
}

/** A registry that knows of these, and of one package. */
const knowing =
  (advisories: object): RequestListener =>
  (request, response) => {
    const found = { '/fastify': FASTIFY }[request.url ?? '']
    const isAudit = request.url?.includes('advisories')
    response.writeHead(found || isAudit ? 200 : 404, { 'content-type': 'application/json' })
    response.end(JSON.stringify(found ?? (isAudit ? advisories : {})))
  }

describe('the audit of packages', () => {
  it('says in one line that a registry does not audit, and lets it pass', async () => {
    const refusing: RequestListener = (_request, response) => response.writeHead(405).end()
    expect(await audit(refusing)).toEqual({
      code: 0,
      said: 'npm audit: this registry does not audit, so no package was checked.',
    })
  })

  it('passes when nothing is known, or nothing bad', async () => {
    for (const advisories of [{}, minor]) {
      const { code, said } = await audit(knowing(advisories))
      expect([code, said]).toEqual([0, 'npm audit: no package is known to be badly vulnerable.'])
    }
  })

  it('fails and tells what is vulnerable', async () => {
    const { code, said } = await audit(knowing(VULNERABLE))
    expect(code).toBe(1)
    expect(said).toContain('Lets anybody in')
  })
})
