import { execFileSync } from 'node:child_process'
import { mkdtemp, rm, statfs, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { exercise } from './exercise.ts'
import type { Fault, Outcome, Trial } from './fault.ts'

const BUYERS = 20
const DISK_MB = 160

type Disk = { folder: string; unmount: () => Promise<void> }

/** A small disk in memory; null where nobody may mount one. */
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

/** Fills the disk to the last byte, and answers how to free it. */
async function fill(folder: string): Promise<() => Promise<void>> {
  const file = join(folder, 'filler')
  const { bavail, bsize } = await statfs(folder)
  // more than there is room for
  await writeFile(file, Buffer.alloc((bavail + 1) * bsize)).catch((error) => {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error
  })
  return () => rm(file)
}

/** Lets the disk run full while buyers check out, frees it, and starts the shop where it ended. */
const fillTheDisk = async ({ dice, embedded }: Trial, { folder }: Disk): Promise<Outcome> =>
  exercise(await embedded.open(join(folder, 'data')), dice, { buyers: BUYERS }, async (scene) => {
    const { stage, crowd, tally, must, settle } = scene
    stage.provider.messenger.goes({ lost: 0.3 })
    crowd.open()
    await must('nobody bought anything', () => tally.acknowledged.size >= BUYERS)
    const free = await fill(folder)
    const refused = () => tally.unavailable + tally.cutOff
    await must('the disk was never full', () => refused() >= BUYERS)
    const ended = !stage.shop().isAlive()
    await free()
    if (ended) await stage.start()
    const confirmed = tally.acknowledged.size
    await must('it did not heal', () => tally.acknowledged.size > confirmed)
    await crowd.close()
    await settle()
    return { 'requests refused': refused(), 'times the shop ended by itself': Number(ended) }
  })

export const diskFull: Fault = {
  name: 'a full disk under PGlite',
  run: async (trial) => {
    const disk = await mountDisk()
    if (!disk) return { skipped: 'nobody may mount a small disk here' }
    try {
      return await fillTheDisk(trial, disk)
    } finally {
      await disk.unmount()
    }
  },
}
