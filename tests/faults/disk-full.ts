import { join } from 'node:path'
import { mountSmallDisk, type SmallDisk } from '../support/small-disk.ts'
import { exercise } from './exercise.ts'
import type { Fault, Outcome, Trial } from './fault.ts'

const CLIENTS = 20
const DISK_MB = 160

/** Fills the disk while clients check out, frees it, and restarts the shop if it ended. */
const fillTheDisk = async (
  { random, embedded }: Trial,
  { folder, fill }: SmallDisk,
): Promise<Outcome> =>
  exercise(
    await embedded.open(join(folder, 'data')),
    random,
    { clients: CLIENTS },
    async (running) => {
      const { environment, clients, log, must, settle } = running
      environment.provider.webhooks.setDelivery({ lost: 0.3 })
      clients.open()
      await must('no client bought anything', () => log.confirmed.size >= CLIENTS)
      const free = await fill()
      const refused = () => log.unavailable + log.unanswered
      await must('the disk was never full', () => refused() >= CLIENTS)
      const ended = !environment.shop().isAlive()
      await free()
      if (ended) await environment.start()
      const confirmed = log.confirmed.size
      await must('the shop did not recover', () => log.confirmed.size > confirmed)
      await clients.close()
      await settle()
      return { 'requests refused': refused(), 'times the shop ended by itself': Number(ended) }
    },
  )

export const diskFull: Fault = {
  name: 'a full disk under PGlite',
  run: async (trial) => {
    const disk = await mountSmallDisk(DISK_MB)
    if (!disk) return { skipped: 'a small disk cannot be mounted here' }
    try {
      return await fillTheDisk(trial, disk)
    } finally {
      await disk.unmount()
    }
  },
}
