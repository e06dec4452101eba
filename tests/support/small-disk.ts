import { execFileSync } from 'node:child_process'
import { rmdirSync } from 'node:fs'
import { mkdtemp, rm, statfs, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export type SmallDisk = {
  folder: string
  /** Fills the disk to the last byte; the function that it resolves with frees it. */
  fill: () => Promise<() => Promise<void>>
  unmount: () => Promise<void>
}

async function fill(folder: string): Promise<() => Promise<void>> {
  const file = join(folder, 'filler')
  const { bavail, bsize } = await statfs(folder)
  // one block more than fits
  await writeFile(file, Buffer.alloc((bavail + 1) * bsize)).catch((error) => {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error
  })
  return () => rm(file)
}

/** Mounts a small disk in memory; null without the permission to. */
export async function mountSmallDisk(sizeMb: number): Promise<SmallDisk | null> {
  const folder = await mkdtemp(join(tmpdir(), 'haat-disk-'))
  try {
    const size = `size=${sizeMb}m`
    execFileSync('mount', ['-t', 'tmpfs', '-o', size, 'tmpfs', folder], { stdio: 'pipe' })
  } catch {
    await rm(folder, { recursive: true })
    return null
  }
  // also when the tests are interrupted: lazily, because what uses it may not have ended yet
  const discard = () => {
    execFileSync('umount', ['--lazy', folder])
    rmdirSync(folder)
  }
  process.once('exit', discard)
  const unmount = async () => {
    execFileSync('umount', [folder])
    process.off('exit', discard)
    await rm(folder, { recursive: true })
  }
  return { folder, fill: () => fill(folder), unmount }
}
