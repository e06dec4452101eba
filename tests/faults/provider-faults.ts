import { exercise } from './exercise.ts'
import type { Fault, Trial } from './fault.ts'
import { MOODS, type Mood } from './provider/fake-razorpay.ts'

const BUYERS = 20
/** So many answers of each kind are spoilt. */
const SPOILT = { long: 50, short: 6 }
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
    const enough = rounds === undefined ? 6 : 60
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

export const badAnswers: Fault = { name: 'a bad provider', run: spoilAnswers }
export const badReports: Fault = { name: 'bad webhooks', run: spoilReports }
