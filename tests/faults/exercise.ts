import { type Crowd, gather } from './buyers/crowd.ts'
import type { Tally } from './buyers/tally.ts'
import type { Dice } from './dice.ts'
import type { Outcome } from './fault.ts'
import { audit, type Found } from './stage/audit.ts'
import type { StageDatabase } from './stage/database.ts'
import { settlementOf, within } from './stage/settle.ts'
import { type Stage, setStage } from './stage/stage.ts'

const PATIENCE_SECONDS = 90

/** Buyers, shops and a provider, to do something to. */
export type Scene = {
  stage: Stage
  dice: Dice
  crowd: Crowd
  tally: Tally
  /** Everything that goes wrong. */
  losses: string[]
  /** Waits until it is so; when it is not in time, `what` has gone wrong. */
  must: (what: string, isSo: () => boolean | Promise<boolean>) => Promise<void>
  /** Waits until every payment that came in is an order, or was given back. */
  settle: () => Promise<void>
  /** Compares what the database, the provider and the buyers know, before everything is settled. */
  compare: () => Promise<void>
}

type Setting = Parameters<typeof gather>[2] & Parameters<typeof setStage>[2]

/**
 * Sets the stage, does what is to be done, and lets the shops settle and stop. Then everything is
 * compared. `act` answers what it counted.
 */
export async function exercise(
  database: StageDatabase,
  dice: Dice,
  setting: Setting,
  act: (scene: Scene) => Promise<Record<string, number>>,
): Promise<Outcome> {
  const stage = await setStage(database, dice, setting)
  try {
    const { provider } = stage
    const crowd = gather(stage, dice, setting)
    const { tally } = crowd
    const losses: string[] = []
    const settlement = settlementOf(stage)
    const check = (settled: boolean): Promise<Found> => {
      const { population } = database
      const truth = { population, provider, acknowledged: tally.acknowledged, settled }
      return database.look((db) => audit(db, truth))
    }
    const scene: Scene = {
      ...{ stage, dice, crowd, tally, losses },
      must: async (what, isSo) => {
        if (!(await within(PATIENCE_SECONDS, isSo))) losses.push(what)
      },
      settle: async () => {
        losses.push(...(await settlement(PATIENCE_SECONDS)))
      },
      compare: async () => {
        losses.push(...(await check(false)).losses)
      },
    }
    const counts = await act(scene)
    await crowd.close()
    await scene.settle()
    await stage.stop()
    const found = await check(true)
    losses.push(...found.losses, ...tally.strange)
    const { orders, refunds } = found
    const paid = { 'payments came in': provider.books.payments.size }
    const sure = { 'orders acknowledged': tally.acknowledged.size, orders, refunds }
    return { counts: { ...counts, ...paid, ...sure }, losses }
  } finally {
    await stage.close()
  }
}
