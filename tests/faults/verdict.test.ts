import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import type { Line } from './report.ts'
import { complaintsAbout } from './verdict.ts'

const survived: Line = { name: 'calm', outcome: { counts: { orders: 1 }, losses: [] }, seconds: 1 }
const skipped: Line = { name: 'a flood', outcome: { skipped: 'there is no river' }, seconds: 0 }
const lost: Line = { ...survived, name: 'a fire', outcome: { counts: {}, losses: ['an order'] } }

describe('a run of the faults', () => {
  it('is good when all were tried and nothing was lost', () => {
    expect(complaintsAbout([survived], { allowSkipped: false })).toEqual([])
  })

  it('fails when one could not be tried, unless that is allowed', () => {
    const complaint = 'Not tried here: a flood. With --allow-skipped that is no failure.'
    expect(complaintsAbout([survived, skipped], { allowSkipped: false })).toEqual([complaint])
    expect(complaintsAbout([survived, skipped], { allowSkipped: true })).toEqual([])
  })

  it('fails when something was lost, whatever is allowed', () => {
    const complaints = complaintsAbout([survived, lost], { allowSkipped: true })
    expect(complaints).toEqual(['Something was lost: a fire.'])
  })

  it('fails as a command when it tried nothing', () => {
    const main = fileURLToPath(new URL('./main.ts', import.meta.url))
    const { status, stderr } = spawnSync(process.execPath, [main, '--only', 'no such fault'], {
      encoding: 'utf8',
    })
    expect(stderr).toContain('Nothing was tried: no fault has such a name.')
    expect(status).toBe(1)
  })
})
