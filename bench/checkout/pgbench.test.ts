import { chmod, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { testFolder } from '#tests/support/test-folder.ts'
import { runPgbench } from './pgbench.ts'

const folder = testFolder()

/** Runs a shell script as pgbench, for one second on 64 connections; it may write to `$calls`. */
async function runAs(script: string) {
  const program = join(folder, 'pgbench')
  const calls = join(folder, 'calls')
  await writeFile(calls, '')
  await writeFile(program, `#!/bin/sh\ncalls=${calls}\necho "$*" >>$calls\n${script}\n`)
  await chmod(program, 0o755)
  const pgbench = { program, url: 'postgres://a@b:1/c', script: 's', protocol: 'simple' } as const
  const result = await runPgbench(pgbench, { clients: 64, seconds: 1 }).catch(
    ({ message }) => message,
  )
  const lengths = (await readFile(calls, 'utf8')).match(/(?<=-T )\d+/g)
  return { result, lengths: lengths?.map(Number) }
}

describe.skipIf(process.platform === 'win32')('a run of pgbench', () => {
  it('lasts twice as long until each connection has got beyond its first run', async () => {
    const runs = `case "$*" in
      *'-T 1 '*) echo 'number of transactions actually processed: 0' ;;
      *'-T 2 '*) echo 'number of transactions actually processed: 127'; echo 'tps = 63.5 (without initial connection time)' ;;
      *) echo 'number of transactions actually processed: 300'; echo 'tps = 75.25 (without initial connection time)' ;;
    esac`
    expect(await runAs(runs)).toEqual({ result: 75.25, lengths: [1, 2, 4] })
  })

  it('ends when a minute is not enough', async () => {
    const { result, lengths } = await runAs("echo 'number of transactions actually processed: 0'")
    expect(result).toBe('The load did hardly run within 64 s.')
    expect(lengths).toEqual([1, 2, 4, 8, 16, 32, 64])
  })

  it('that fails prints its errors first', async () => {
    const { result } = await runAs('echo results; echo "client 5 aborted: deadlock" >&2; exit 2')
    expect(result).toBe('pgbench ended with 2:\nclient 5 aborted: deadlock\nresults\n')
  })
})
