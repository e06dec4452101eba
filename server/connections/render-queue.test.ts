import { setImmediate as nextTurn, setTimeout } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { renderQueue } from './render-queue.ts'

const BOUNDS = {
  concurrent: 3,
  concurrentOfNetwork: 2,
  waitingOfNetwork: 4,
  iterationsBefore: 10,
}

/** Enters a queue for these networks, in order; `started` lists those with a slot. */
function enterAll(networks: string[], bounds = BOUNDS) {
  const enter = renderQueue(bounds)
  const started: string[] = []
  const releases: (() => void)[] = []
  const entered = networks.map(async (network) => {
    const release = await enter(network)
    if (!release) return 'refused'
    started.push(network)
    releases.push(release)
    return 'started'
  })
  return { entered, started, releases }
}

const settle = () => setTimeout(20)

it('bounds what runs at once, for a network and for all', async () => {
  const { started, releases } = enterAll(['a', 'a', 'a', 'b', 'b', 'c'])
  await settle()
  expect(started).toEqual(['a', 'b', 'c'])
  releases[1]?.()
  await settle()
  expect(started).toEqual(['a', 'b', 'c', 'a'])
  // a second release has no effect
  releases[1]?.()
  await settle()
  expect(started).toHaveLength(4)
})

it('lets a newcomer start before the rest of a long queue', async () => {
  const bounds = {
    concurrent: 1,
    concurrentOfNetwork: 1,
    waitingOfNetwork: 4,
    iterationsBefore: 10,
  }
  const { started, releases } = enterAll(['a', 'a', 'a', 'b'], bounds)
  for (let n = 0; n < 4; n++) {
    await settle()
    releases[n]?.()
  }
  expect(started).toEqual(['a', 'b', 'a', 'a'])
})

it('leaves turns of the event loop between two starts', async () => {
  const { started } = enterAll(['a', 'b', 'c'])
  const turns: number[] = []
  for (let turn = 0; started.length < 3; turn++) {
    const before = started.length
    await nextTurn()
    for (let n = before; n < started.length; n++) turns.push(turn)
  }
  const [first = 0, second = 0, third = 0] = turns
  expect(Math.min(first, second - first, third - second)).toBeGreaterThan(5)
})

it('refuses a network that has too many waiting, and no other', async () => {
  const { entered, started } = enterAll(['a', 'a', 'a', 'a', 'a', 'b'])
  expect(await entered[4]).toBe('refused')
  expect(await entered[5]).toBe('started')
  expect(started).toContain('a')
})
