/** An attack, and the proof that it would be noticed. */
import { expect, it } from 'vitest'
import { type Attempt, type Response, type Send, withText } from './http.ts'
import type { World } from './world.ts'

/** Tries everything of its kind and yields a sentence for each attempt that succeeds. */
export type Attack = (world: World) => AsyncGenerator<string>

/**
 * A planted hole: it stands between the attacker and the shop, and makes the shop look as if a check
 * were missing. `finding` is what the attack must then report.
 */
export type Hole = { finding: RegExp; plant: (send: Send, world: World) => Send }

/** A hole that is planted by `hole`, and the finding that names it. */
export const plant = (finding: RegExp, hole: Hole['plant']): Hole => ({ finding, plant: hole })

/** A shop whose response is changed on its way, to requests whose path has this part or that are met. */
export const changing = (
  finding: RegExp,
  isMet: string | ((attempt: Attempt) => boolean),
  change: (response: Response) => Response,
): Hole =>
  plant(finding, (send) => async (attempt) => {
    const response = await send(attempt)
    const isIt = typeof isMet === 'string' ? attempt.path.includes(isMet) : isMet(attempt)
    return isIt ? change(response) : response
  })

export const replacedBy = (status: number, text: string) => (response: Response) => ({
  ...withText(response, text),
  status,
})

/** Reports are for people: more of the same kind says nothing new. */
const MOST_REPORTED = 20

async function findingsOf(attack: Attack, world: World, enough: (finding: string) => boolean) {
  const found: string[] = []
  for await (const finding of attack(world)) {
    found.push(finding)
    if (found.length >= MOST_REPORTED || enough(finding)) break
  }
  return found
}

/**
 * Runs an attack on the shop as it is, where it must find nothing, and once for each planted hole,
 * which it must find. The numbers are those of `classes.ts`.
 */
export function defend(
  title: string,
  { world, attack, holes }: { world: () => World; attack: Attack; holes: Record<string, Hole> },
) {
  it(title, async () => {
    expect(await findingsOf(attack, world(), () => false)).toEqual([])
  })
  it.each(Object.entries(holes))(`${title}: finds a shop where %s`, async (_what, hole) => {
    const holed = { ...world(), send: hole.plant(world().send, world()) }
    const found = await findingsOf(attack, holed, (finding) => hole.finding.test(finding))
    expect(found).toContainEqual(expect.stringMatching(hole.finding))
  })
}
