/** A suite that is asked for by name and cannot run is not green. */
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const ROOT = fileURLToPath(new URL('../', import.meta.url))
const { scripts } = JSON.parse(readFileSync(`${ROOT}package.json`, 'utf8'))

/** The suites that need programs beside Node and a browser, and some of these programs. */
const SUITES: [script: string, suite: string, programs: string[]][] = [
  ['test:cluster', 'cluster', ['patroni', 'etcd', 'pgbackrest', 'envsubst']],
  ['test:image', 'image', ['buildah', 'debootstrap', 'podman', 'runc', 'podman-compose']],
  ['test:pgbouncer', 'pgbouncer', []],
  ['test:postgres', 'postgres', []],
  ['test:two-machines', 'postgres', []],
]

/** A machine without programs on its PATH. */
const onBareMachine = (script: string, ...words: string[]) =>
  spawnSync(process.execPath, [script, ...words], {
    cwd: ROOT,
    env: { PATH: '/nonexistent' },
    encoding: 'utf8',
  })

describe.each(SUITES)('npm run %s', (script, suite, programs) => {
  it('looks for its programs before anything else', () => {
    expect(scripts[script]).toMatch(
      new RegExp(`^node tests/support/needed-programs.ts ${suite} && `),
    )
  })

  it.runIf(programs.length > 0)('names all that is missing at once, and ends with 1', () => {
    const { status, stderr } = onBareMachine('tests/support/needed-programs.ts', suite)
    expect(status).toBe(1)
    for (const program of programs) expect(stderr).toContain(program)
    expect(stderr.trim().split('\n')).toHaveLength(1)
    expect(stderr).toContain('apt install')
  })
})
