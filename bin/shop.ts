/** `npm run shop -- …`: the command line of the shop's owner. */
import { CommanderError, InvalidArgumentError } from 'commander'
import { reason } from '#app/shared/server/doctor/finding.ts'
import { program } from './shop/program.ts'

const FAILED = 1
const MISUSED = 2

/** An AggregateError (several failed attempts to connect) has no message of its own. */
const sentenceOf = (error: unknown): string => {
  if (error instanceof AggregateError && error.errors.length > 0) return sentenceOf(error.errors[0])
  return reason(error)
}

function exitCodeOf(error: unknown): number {
  // Commander has already printed its own errors
  if (error instanceof CommanderError && !(error instanceof InvalidArgumentError))
    return error.exitCode === 0 ? 0 : MISUSED
  console.error(sentenceOf(error))
  return error instanceof InvalidArgumentError ? MISUSED : FAILED
}

// files that a command writes are readable by their owner only
process.umask(0o077)

try {
  await program.parseAsync()
} catch (error) {
  process.exitCode = exitCodeOf(error)
}
