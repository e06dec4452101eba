import { exercise } from './exercise.ts'
import type { Fault, Trial } from './fault.ts'
import { openShopClock } from './stage/shop-clock.ts'

const BUYERS = 20
const ENOUGH = { long: 100, short: 5 }
/** Later than a settled payment is looked at once more. */
const LATER_HOURS = 7

/** What is told of a payment whose order had another: its money goes back. */
const BEATEN = 'verify: 400 payment_failed Payment verification failed. Your money '
const isBeaten = (answer: string) => answer.startsWith(BEATEN)

/**
 * Half of the payments are only promised by a bank, and are the shop's to capture; most reports get
 * lost. In the long form some buyers pay twice, which nobody tells and the shop finds hours later.
 */
async function promise({ rounds, dice, embedded }: Trial) {
  const clock = await openShopClock()
  const { settings } = clock
  const isLong = rounds !== undefined
  try {
    return await exercise(
      await embedded.open(),
      dice,
      { buyers: BUYERS, settings },
      async (scene) => {
        const { stage, crowd, must, tally } = scene
        const { messenger, manner, paid } = stage.provider
        messenger.goes({ lost: 0.7 })
        Object.assign(manner, { promises: 0.5, twice: isLong ? 0.2 : 0 })
        crowd.open()
        const enough = ENOUGH[isLong ? 'long' : 'short']
        await must('too few payments were promised', () => paid.promised >= enough)
        await crowd.close()
        if (isLong) await clock.put(stage, LATER_HOURS)
        const refused = tally.strange.filter(isBeaten)
        // with one payment an order nobody may be told so
        if (paid.twice > 0) tally.strange = tally.strange.filter((answer) => !isBeaten(answer))
        return {
          ...{ promised: paid.promised, 'paid twice': paid.twice },
          'beaten by the other payment': refused.length,
        }
      },
    )
  } finally {
    await clock.close()
  }
}

export const promises: Fault = { name: 'payments that are only promised', run: promise }
