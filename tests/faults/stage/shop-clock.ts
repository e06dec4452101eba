import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Stage } from './stage.ts'

const PRELOAD = new URL('../shifted-clock.ts', import.meta.url).href

/** A clock for a shop, and for a database inside it, that can be put forward and back. */
export async function openShopClock() {
  const folder = await mkdtemp(join(tmpdir(), 'haat-clock-'))
  const SHIFT_FILE = join(folder, 'hours')
  return {
    /** What a shop needs to be set to. */
    settings: { SHIFT_FILE, NODE_OPTIONS: `--import=${PRELOAD}` },
    /** Puts it so many hours from the true time. */
    async put(stage: Stage, hours: number) {
      await writeFile(SHIFT_FILE, String(hours))
      stage.shop().signal('SIGUSR2')
    },
    close: () => rm(folder, { recursive: true }),
  }
}
