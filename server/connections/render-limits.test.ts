import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { acquireSlot } from '#app/shared/server/limits/slots.ts'
import { renderSlots } from './render-limits.ts'

const BOUNDS = { concurrent: 3, ofNetwork: 2, waiting: 4 }

/** Requests slots for these networks, in order; `started` lists those with a slot. */
function enterAll(networks: string[], bounds = BOUNDS) {
  const slotsOf = renderSlots(bounds, 10)
  const started: string[] = []
  const releases: (() => void)[] = []
  const entered = networks.map(async (network) => {
    releases.push(await acquireSlot(slotsOf(network)))
    started.push(network)
  })
  return { entered, started, releases }
}

/** Turns of the event loop in which all starts that are free have happened, however slow the machine is. */
async function settle() {
  for (let turn = 0; turn < 100; turn++) await nextTurn()
}

it('bounds what runs at once, for a network and for all', async () => {
  const { started, releases } = enterAll(['a', 'a', 'a', 'b', 'b', 'c'])
  await settle()
  expect(started).toEqual(['a', 'a', 'b'])
  releases[1]?.()
  await settle()
  expect(started).toEqual(['a', 'a', 'b', 'b'])
  // a second release has no effect
  releases[1]?.()
  await settle()
  expect(started).toHaveLength(4)
})

it('lets a newcomer start before the rest of a long queue', async () => {
  const { started, releases } = enterAll(['a', 'a', 'a', 'b'], {
    concurrent: 1,
    ofNetwork: 1,
    waiting: 4,
  })
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
  const { entered, started } = enterAll([...Array<string>(7).fill('a'), 'b'])
  await expect(entered[6]).rejects.toMatchObject({ code: 'rate_limited' })
  await entered[7]
  expect(started).toContain('b')
})
