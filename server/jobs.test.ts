import { setTimeout } from 'node:timers/promises'
import { expect, it, vi } from 'vitest'
import { startJobs } from './jobs.ts'

const log = { error: vi.fn() }

it('does a job soon and again and again, one run at a time', async () => {
  let now = 0
  let max = 0
  let runs = 0
  const run = async () => {
    runs += 1
    now += 1
    max = Math.max(max, now)
    await setTimeout(3)
    now -= 1
  }
  const jobs = startJobs([{ name: 'counting', everyMs: 1, run }], log, 1)
  expect(runs).toBe(0)
  await expect.poll(() => runs).toBeGreaterThan(3)
  await jobs.close()
  expect([now, max]).toEqual([0, 1])
})

it('logs a run that fails and goes on', async () => {
  const run = vi.fn(async () => {
    throw new Error('No luck.')
  })
  const jobs = startJobs([{ name: 'trying', everyMs: 1, run }], log, 1)
  await expect.poll(() => run.mock.calls.length).toBeGreaterThan(1)
  await jobs.close()
  expect(log.error).toHaveBeenCalledWith({ err: expect.any(Error) }, 'trying failed')
})

it('says nothing of a database that is out of reach', async () => {
  const quiet = { error: vi.fn() }
  const outage = Object.assign(new Error('The connection ended.'), { code: '08006' })
  const run = vi.fn(() => Promise.reject(outage))
  const jobs = startJobs([{ name: 'trying', everyMs: 1, run }], quiet, 1)
  await expect.poll(() => run.mock.calls.length).toBeGreaterThan(1)
  await jobs.close()
  expect(quiet.error).not.toHaveBeenCalled()
})

it('tells a run to end when it is closed, waits until it has, and starts no other', async () => {
  const gate = Promise.withResolvers<void>()
  const told: AbortSignal[] = []
  const run = vi.fn((closing: AbortSignal) => {
    told.push(closing)
    return gate.promise
  })
  const jobs = startJobs([{ name: 'waiting', everyMs: 1, run }], log, 1)
  await expect.poll(() => run).toHaveBeenCalled()
  let isClosed = false
  const closing = jobs.close().then(() => {
    isClosed = true
  })
  await setTimeout(5)
  expect(told.map(({ aborted }) => aborted)).toEqual([true])
  expect(isClosed).toBe(false)
  gate.resolve()
  await closing
  expect(run).toHaveBeenCalledOnce()
})
