import { PassThrough, type Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import { invalid } from './failure.ts'

/** Tells how far a work is. Throws when nobody listens any more. */
export type SendStep<Step> = (step: Step) => void

/**
 * Answers a long work as it goes on, a line of JSON for each step (NDJSON); what it returns is
 * the last line. `asLine` makes the last line of a failure, because the status is sent by then.
 */
export function stepLines<Step>(
  reply: Pick<FastifyReply, 'headers'>,
  work: (sendStep: SendStep<Step>) => Promise<Step>,
  asLine: (error: unknown) => Step,
): Readable {
  // neither compressed nor kept back on the way, for then it would come all at the end
  reply.headers({
    'content-type': 'application/x-ndjson; charset=utf-8',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
  })
  const lines = new PassThrough()
  const write = (step: Step) => lines.write(`${JSON.stringify(step)}\n`)
  const sendStep = (step: Step) => {
    if (lines.destroyed) throw invalid('The request was given up.')
    write(step)
  }
  work(sendStep)
    .catch(asLine)
    .then((last) => {
      if (lines.destroyed) return
      write(last)
      lines.end()
    })
  return lines
}
