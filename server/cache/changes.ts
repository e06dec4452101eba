import type { Kysely } from 'kysely'
import type { Schema } from '#db/schema.ts'
import { type Job, startJobs } from '../jobs.ts'
import { type Change, deleteChanges, type Look, selectChanges } from './changes-store.ts'

/** So often every process asks what others changed. */
const LOOK_MS = 400
/** Without an answer for so long, nothing is known any more. */
const LATE_MS = 2000
/** A look that waits longer than this has failed: nobody needs older changes. */
const KEEP_MS = 60_000
/** Who slept for so long, as a machine does that is moved, cannot know what was forgotten since. */
const LONGEST_SLEEP_SECONDS = 30

/** Who has to know what changes in the catalogue. */
export type Hearer = {
  /** These changes were committed since the last look; from now on all is known again. */
  changed: (changes: Change[]) => void
  /** What happened since the last look is lost; from now on all is known again. */
  lost: () => void
  /** Until further notice it is not known what happens. */
  unknown: () => void
}

export type Changes = {
  /** Looks now; when it resolves, everything that was committed before has been heard of. */
  catchUp: () => Promise<void>
  close: () => Promise<void>
}

type Log = Parameters<typeof startJobs>[1]

type Former = Omit<Look, 'changes'>

/** Whether nothing can have been lost between two looks. */
const follows = (found: Former, former: Former | null): boolean =>
  former?.source === found.source && found.seconds - former.seconds < LONGEST_SLEEP_SECONDS

/** Makes one look into the database after the other, each from where the former ended. */
function lookerOf(db: Kysely<Schema>, hearer: Hearer) {
  let former: Former | null = null
  const late = setTimeout(hearer.unknown, LATE_MS).unref()
  return {
    async look() {
      const known = former
      try {
        const { changes, ...found } = await selectChanges(db, known?.snapshot ?? null)
        former = found
        if (follows(found, known)) hearer.changed(changes)
        else hearer.lost()
        late.refresh()
      } catch (error) {
        former = null
        hearer.unknown()
        throw error
      }
    },
    /** What was over at the last look. */
    snapshot: () => former?.snapshot ?? null,
    close: () => clearTimeout(late),
  }
}

/** One at a time: whoever asks while one is under way gets the next, with all others. */
function inTurns(work: () => Promise<void>) {
  let running: Promise<void> = Promise.resolve()
  let waiting: Promise<void> | null = null
  return () => {
    waiting ??= running
      .catch(() => {})
      .then(() => {
        waiting = null
        running = work()
        return running
      })
    return waiting
  }
}

/**
 * Asks the database what was changed by anybody, several times a second, for as long as it is open.
 * It needs no connection of its own, so that any pool and proxy will do.
 */
export function watchChanges(db: Kysely<Schema>, hearer: Hearer, log: Log): Changes {
  const looker = lookerOf(db, hearer)
  const catchUp = inTurns(looker.look)
  let old: string | null = null
  const forget = async () => {
    if (old) await deleteChanges(db, old)
    old = looker.snapshot()
  }
  const jobs: Job[] = [
    { name: 'looking for changes', everyMs: LOOK_MS, run: catchUp },
    { name: 'forgetting changes', everyMs: KEEP_MS, run: forget },
  ]
  const { close } = startJobs(jobs, log, 0)
  return {
    catchUp,
    async close() {
      looker.close()
      await close()
    },
  }
}
