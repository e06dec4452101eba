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

const ROOT = fileURLToPath(new URL('../../', import.meta.url))

const cache = await mkdtemp(join(tmpdir(), 'haat-audit-'))
afterAll(() => rm(cache, { recursive: true }))

const servers: ReturnType<typeof createServer>[] = []
afterEach(() => {
  for (const server of servers.splice(0)) server.close()
})

/** Runs the audit against a registry with this answer. */
async function audit(answer: RequestListener, ...flags: string[]) {
  const server = createServer(answer).listen(0, '127.0.0.1')
  servers.push(server)
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const npm = spawn(process.execPath, ['tools/audit.ts', ...flags], {
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
      id: 1,
      url: 'https://example.com/1',
      title: 'Lets anybody in',
      severity: 'high',
      vulnerable_versions: '<99',
      cwe: [],
      cvss: { score: 9, vectorString: null },
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

/** A registry that knows these vulnerabilities of one package. */
const knowing =
  (advisories: object): RequestListener =>
  (request, response) => {
    const found = { '/fastify': FASTIFY }[request.url ?? '']
    const isAudit = request.url?.includes('advisories')
    response.writeHead(found || isAudit ? 200 : 404, { 'content-type': 'application/json' })
    response.end(JSON.stringify(found ?? (isAudit ? advisories : {})))
  }

describe('the audit of packages', () => {
  const NOTHING = 'npm audit: NOTHING WAS AUDITED.'
  const refusing: RequestListener = (_request, response) => response.writeHead(405).end()
  const babbling: RequestListener = (_request, response) => response.end('<p>Welcome</p>')
  const absent: RequestListener = (request) => request.destroy()

  it.each([
    ['refuses to audit', refusing],
    ['says something else', babbling],
    ['hangs up', absent],
  ])('fails when the registry %s: nothing was audited', async (_what, answer) => {
    const { code, said } = await audit(answer)
    expect(code).toBe(1)
    expect(said).toContain(NOTHING)
    expect(said).toContain('--allow-unreachable')
  })

  it('says so in one line, and goes on, only where it is allowed to', async () => {
    const { code, said } = await audit(refusing, '--allow-unreachable')
    expect(code).toBe(0)
    expect(said).toBe(`${NOTHING} The registry gave no report, so no package was checked.`)
  })

  it('passes when nothing is known, or nothing bad', async () => {
    for (const advisories of [{}, minor]) {
      const { code, said } = await audit(knowing(advisories))
      expect([code, said]).toEqual([0, 'npm audit: no known vulnerability of high severity.'])
    }
  })

  it('fails and tells what is vulnerable', async () => {
    for (const flags of [[], ['--allow-unreachable']]) {
      const { code, said } = await audit(knowing(VULNERABLE), ...flags)
      expect(code).toBe(1)
      expect(said).toContain('Lets anybody in')
    }
  })
})
