import { execFileSync } from 'node:child_process'
import { mkdtemp, rm, statfs, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { exercise } from './exercise.ts'
import type { Fault, Outcome, Trial } from './fault.ts'

const CLIENTS = 20
const DISK_MB = 160

type Disk = { folder: string; unmount: () => Promise<void> }

/** Mounts a small disk in memory; null without the permission to. */
async function mountDisk(): Promise<Disk | null> {
  const folder = await mkdtemp(join(tmpdir(), 'haat-disk-'))
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK_MB}m`, 'tmpfs', folder], {
      stdio: 'pipe',
    })
  } catch {
    await rm(folder, { recursive: true })
    return null
  }
  const unmount = async () => {
    execFileSync('umount', [folder])
    await rm(folder, { recursive: true })
  }
  return { folder, unmount }
}

/** Fills the disk to the last byte; the answer frees it. */
async function fill(folder: string): Promise<() => Promise<void>> {
  const file = join(folder, 'filler')
  const { bavail, bsize } = await statfs(folder)
  // one block more than fits
  await writeFile(file, Buffer.alloc((bavail + 1) * bsize)).catch((error) => {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error
  })
  return () => rm(file)
}

/** Fills the disk while clients check out, frees it, and restarts the shop if it ended. */
const fillTheDisk = async ({ random, embedded }: Trial, { folder }: Disk): Promise<Outcome> =>
  exercise(
    await embedded.open(join(folder, 'data')),
    random,
    { clients: CLIENTS },
    async (running) => {
      const { environment, clients, log, must, settle } = running
      environment.provider.webhooks.setDelivery({ lost: 0.3 })
      clients.open()
      await must('no client bought anything', () => log.confirmed.size >= CLIENTS)
      const free = await fill(folder)
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
    const disk = await mountDisk()
    if (!disk) return { skipped: 'a small disk cannot be mounted here' }
    try {
      return await fillTheDisk(trial, disk)
    } finally {
      await disk.unmount()
    }
  },
}
