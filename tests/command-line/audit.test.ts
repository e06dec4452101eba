import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer, type RequestListener } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { auditNode, FIXED_NODES } from '#tools/fixed-nodes.ts'

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
  // without the warning of a list that is old on the day of the test
  return { code, said: said.replace(/^Node: the list .*$/m, '').trim() }
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

describe('the audit of Node', () => {
  const checked = Date.parse(FIXED_NODES.checked)
  const day = 24 * 60 * 60 * 1000

  it('reports a Node that lacks a fix of the list, which npm does not know', () => {
    expect(auditNode(checked, '24.21.0').problem).toMatch(/^Node 24\.21\.0 lacks security fixes/)
    for (const version of FIXED_NODES.versions)
      expect(auditNode(checked, version)).toEqual({ problem: null, warning: null })
  })

  it('warns when the list is older than 30 days', () => {
    expect(auditNode(checked + 30 * day).warning).toBeNull()
    expect(auditNode(checked + 31 * day).warning).toBe(
      'Node: the list of fixed versions is 31 days old. Compare tools/fixed-nodes.ts with https://nodejs.org/en/blog/vulnerability.',
    )
  })
})

describe('the last line of .ci/run', () => {
  /** What its function `summed` prints of a log. */
  async function sum(log: string) {
    const script = await readFile(join(ROOT, '.ci/run'), 'utf8')
    const [summed = ''] = /^summed\(\) \{[\s\S]*?^\}/m.exec(script) ?? []
    const file = join(cache, 'log')
    await writeFile(file, log)
    const bash = ['-euo', 'pipefail', '-c', `log=${file}\n${summed}\nsummed`]
    return execFileSync('bash', bash, { encoding: 'utf8' })
  }
  const TESTS = '      Tests  12 passed | 1 failed (13)\n  3 passed (2.0m)\n'

  it.skipIf(process.platform === 'win32')('says when no package was audited', async () => {
    expect(await sum(TESTS)).toBe('15 passed, 1 failed\n')
    expect(await sum(`npm audit: NOTHING WAS AUDITED. The registry …\n${TESTS}`)).toBe(
      '15 passed, 1 failed (packages not audited)\n',
    )
  })
})
