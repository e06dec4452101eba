import type { Settings } from '#app/settings/admin-contract.ts'
import { PASSWORD, type Person } from './accounts.ts'
import type { TestShop } from './shop.ts'

type All = { revision: number; settings: Settings }

/** The settings of a shop through its API, and saving them with changes. */
export const settingsThrough = (shop: TestShop, admin: () => Person) => {
  const read = async () => (await shop.get<All>('/settings/all', { token: admin().token })).body
  return {
    read,
    /** Saves the present settings with these changes; `revision` may name an older read. */
    async save<Body = { message: string }>(changes: Partial<Settings>, revision?: number) {
      const present = await read()
      return shop.put<Body>('/settings/all', {
        token: admin().token,
        body: {
          revision: revision ?? present.revision,
          password: PASSWORD,
          settings: { ...present.settings, ...changes },
        },
      })
    },
  }
}
