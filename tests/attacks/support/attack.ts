/** An attack, with proof that it would detect a hole. */
import { expect, it } from 'vitest'
import type { Attempt, Response, Send } from './http.ts'
import type { World } from './world.ts'

/** Makes all attempts and yields a sentence for each one that succeeds. */
export type Attack = (world: World) => AsyncGenerator<string>

/** A planted hole: it makes the shop behave as if a check were missing. */
type Plant = (send: Send, world: World) => Send

/** A shop that answers some requests differently. */
export const answering =
  (isMet: (attempt: Attempt) => boolean, change: (response: Response) => object): Plant =>
  (send) =>
  async (attempt) => {
    const response = await send(attempt)
    return isMet(attempt) ? { ...response, ...change(response) } : response
  }

/** A shop that receives some requests changed. */
export const hearing =
  (change: (attempt: Attempt, world: World) => Attempt | Promise<Attempt>): Plant =>
  (send, world) =>
  async (attempt) =>
    send(await change(attempt, world))

async function findingsOf(attack: Attack, world: World, enough: RegExp | null) {
  const found: string[] = []
  for await (const finding of attack(world)) {
    found.push(finding)
    if (enough?.test(finding)) break
  }
  return found
}

/** The finding expected with this hole. */
type Holes = Record<string, [finding: RegExp, plant: Plant]>

/**
 * Runs an attack on the shop, where it must find nothing, and once with each planted hole, which it
 * must find. The numbers in titles are those of `classes.ts`.
 */
export function defend(title: string, world: () => World, attack: Attack, holes: Holes) {
  it(title, async () => {
    expect(await findingsOf(attack, world(), null)).toEqual([])
  })
  it.each(Object.entries(holes))(`${title}: or it is noticed: %s`, async (_what, hole) => {
    const [finding, plant] = hole
    const holed = { ...world(), send: plant(world().send, world()), sought: finding.source }
    const found = await findingsOf(attack, holed, finding)
    expect(found).toContainEqual(expect.stringMatching(finding))
  })
}
