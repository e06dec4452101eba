import { PassThrough, type Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import { aborted } from './failure.ts'

/** Reports a step of the work. Throws when the client has disconnected. */
export type SendStep<Step> = (step: Step) => void

/** Streams the progress of long work as JSON lines (NDJSON); the result is the last line. A failure ends it. */
export function stepLines<Step>(work: (sendStep: SendStep<Step>) => Promise<Step>): Readable {
  const lines = new PassThrough()
  const write = (step: Step) => lines.write(`${JSON.stringify(step)}\n`)
  const sendStep = (step: Step) => {
    if (lines.destroyed) throw aborted()
    write(step)
  }
  work(sendStep).then(
    (last) => {
      if (lines.destroyed) return
      write(last)
      lines.end()
    },
    (error) => lines.destroy(error),
  )
  return lines
}

/** Sends these lines. `asLine` renders a failure as the last one, because the status has been sent by then. */
export function sendStepLines<Step>(
  reply: Pick<FastifyReply, 'headers'>,
  work: (sendStep: SendStep<Step>) => Promise<Step>,
  asLine: (error: unknown) => Step,
): Readable {
  // proxies must neither compress nor buffer the lines
  reply.headers({
    'content-type': 'application/x-ndjson; charset=utf-8',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
  })
  return stepLines<Step>((sendStep) => work(sendStep).catch(asLine))
}
