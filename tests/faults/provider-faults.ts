import { exercise, type Scene } from './exercise.ts'
import type { Fault, Trial } from './fault.ts'
import { MOODS, type Mood } from './provider/fake-razorpay.ts'

const BUYERS = 20
/** So many answers of each kind are spoilt. */
const SPOILT = { long: 50, short: 4 }
const SHARE = 0.5

const IN_WORDS: Record<(typeof MOODS)[number], string> = {
  slow: 'answers after 30 s',
  failing: 'times 500',
  'cut before': 'connections cut',
  'cut after': 'cut when the work was done',
  twice: 'answers twice',
}

/** The database does not matter here: the server's costs less time. */
const anyDatabase = ({ server, embedded }: Trial) => (server ?? embedded).open()

/** The provider answers badly half of the time, one way after the other, and loses half of its reports. */
async function spoilAnswers(trial: Trial) {
  const { dice, rounds } = trial
  const setting = { buyers: BUYERS, late: rounds !== undefined }
  return exercise(await anyDatabase(trial), dice, setting, async (scene) => {
    const { stage, crowd, tally, losses, must } = scene
    const { messenger, mood } = stage.provider
    messenger.goes({ lost: 0.5 })
    const counts: Record<string, number> = {}
    // half a minute is too long for the short form
    const kinds = MOODS.filter((kind) => rounds !== undefined || kind !== 'slow')
    const be = (is: Mood) => Object.assign(mood, { is, share: SHARE, spoilt: 0 })
    crowd.open()
    for (const kind of kinds) {
      be(kind)
      const enough = SPOILT[rounds === undefined ? 'short' : 'long'] / (kind === 'slow' ? 5 : 1)
      await must(`too few ${IN_WORDS[kind]}`, () => mood.spoilt >= enough)
      counts[IN_WORDS[kind]] = mood.spoilt
    }
    await crowd.close()
    be('well')
    if (tally.cutOff > 0) losses.push(`${tally.cutOff} requests had no answer`)
    return { ...counts, 'requests told to come again': tally.unavailable }
  })
}

/** Reports get lost, come twice, the last first, or from a stranger. */
async function spoilReports(trial: Trial) {
  const { rounds, dice } = trial
  const setting = { buyers: BUYERS, late: rounds !== undefined }
  return exercise(await anyDatabase(trial), dice, setting, async (scene) => {
    const { stage, crowd, losses, must } = scene
    const { messenger } = stage.provider
    const { counts, answersToForged } = messenger
    messenger.goes({ lost: 0.3, doubled: 0.5, reversed: 0.5, forged: 0.5 })
    crowd.open()
    const enough = rounds === undefined ? 4 : 60
    const least = () => Math.min(counts.lost, counts.doubled, counts.reversed, counts.forged)
    await must('too few reports went astray', () => least() >= enough)
    await crowd.close()
    for (const [status, times] of answersToForged) {
      if (status !== 400) losses.push(`${times} forged reports were answered ${status}`)
    }
    const { lost, doubled, reversed, forged } = counts
    return { 'reports lost': lost, doubled, reversed, forged }
  })
}

/** Whoever has an order pays for it again, once; that money has to go back. */
function temptation({ stage, tally }: Scene) {
  const again = new Set<string>()
  return () => {
    for (const id of tally.acknowledged.keys()) {
      const payment = stage.provider.books.payments.get(id)
      if (!payment || again.has(id)) continue
      again.add(id)
      stage.provider.pay(payment.orderId)
    }
  }
}

/** Half of the refunds fail after they were taken on, the rest takes its time, and half of that nobody tells. */
async function spoilRefunds(trial: Trial) {
  const { rounds, dice } = trial
  return exercise(await anyDatabase(trial), dice, { buyers: BUYERS }, async (scene) => {
    const { stage, crowd, must } = scene
    const { refunding, books } = stage.provider
    const payAgain = temptation(scene)
    Object.assign(refunding, { failing: 0.5, afterMs: 300, untold: 0.5 })
    const enough = rounds === undefined ? 2 : 60
    const so = (status: string) => books.refundsOf().filter((one) => one.status === status).length
    crowd.open()
    await must('too few refunds failed or came through', () => {
      payAgain()
      return so('failed') >= enough && so('processed') >= enough
    })
    await crowd.close()
    refunding.failing = 0
    return { 'refunds failed': so('failed'), 'came through late': so('processed') }
  })
}

export const badAnswers: Fault = { name: 'a bad provider', run: spoilAnswers }
export const badReports: Fault = { name: 'bad webhooks', run: spoilReports }
export const badRefunds: Fault = { name: 'refunds that fail or come late', run: spoilRefunds }
