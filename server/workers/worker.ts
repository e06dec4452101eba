import cluster from 'node:cluster'
import type { Standing } from '#app/shared/server/limits/tally.ts'
import type { Counts, Metrics } from '../operation/metrics.ts'
import type { Share } from '../start-shop.ts'
import { askedTally } from './machine-tally.ts'
import type { FromFirst, FromWorker, Part } from './messages.ts'
import { questions } from './questions.ts'

/** A count must not hold up what it counts. */
const PATIENCE_MS = 500

const countsOf = ({ ofProcess, ofDatabase }: Metrics, part: Part): Promise<Counts> =>
  part === 'process' ? ofProcess() : ofDatabase()

/** Says to the first process whatever it must hear. Nobody waits: when it is gone, so is this one. */
function send(message: FromWorker) {
  cluster.worker?.send(message, undefined, () => {})
}

/**
 * What this process has in common with those that the same first process has started; `opened` tells
 * it that customers are served here.
 */
export function joinWorkers({ doesJobs }: { doesJobs: boolean }): Share & {
  opened: (lines: string[]) => void
} {
  const tallying = questions<Standing>()
  let metrics: Metrics | undefined
  const tell = async (id: number, part: Part) => {
    send({ is: 'counts', id, counts: metrics ? await countsOf(metrics, part) : [] })
  }
  cluster.worker?.on('message', (message: FromFirst) => {
    if (message.is === 'counted') tallying.answered(message.id, message.standing)
    // who asks waits only so long
    else tell(message.id, message.part).catch(() => {})
  })
  return {
    tally: askedTally((counting) =>
      tallying.ask((id) => send({ is: 'counting', id, counting }), PATIENCE_MS),
    ),
    takeMetrics(taken) {
      metrics = taken
    },
    doesJobs,
    opened: (lines) => send({ is: 'open', lines }),
  }
}
