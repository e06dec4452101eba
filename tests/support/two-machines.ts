import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type ShopProcess, startShopProcess } from './shop-process.ts'

const NAMES = ['east', 'west'] as const

export type Machine = (typeof NAMES)[number]

/** Two machines with folders of their own, for shops on the database at an address. */
export async function openMachines(databaseUrl: string) {
  const folder = await mkdtemp(join(tmpdir(), 'haat-machines-'))
  const folderOf = (name: Machine) => join(folder, name)
  const environmentOf = (name: Machine) => ({
    DATABASE_URL: databaseUrl,
    DATA_DIR: folderOf(name),
  })
  const running: ShopProcess[] = []
  return {
    folder,
    environmentOf,
    folders: NAMES.map(folderOf),
    /** Starts both shops at the same time. */
    start: async (settings: Record<string, string>) => {
      const start = async (name: Machine) => {
        const shop = await startShopProcess({ ...environmentOf(name), ...settings })
        running.push(shop)
        return shop
      }
      const [east, west] = await Promise.all([start('east'), start('west')])
      return { east, west }
    },
    stop: () => Promise.all(running.map((shop) => shop.stop())),
    deleteFolders: () =>
      Promise.all(NAMES.map((name) => rm(folderOf(name), { recursive: true, force: true }))),
    close: async () => {
      await Promise.all(running.map((shop) => shop.stop()))
      await rm(folder, { recursive: true, force: true })
    },
  }
}
