import { openDatabase } from '#db/connect.ts'
import { migrate } from '#db/migrate.ts'
import { createApp } from './app.ts'
import type { Config } from './config.ts'
import { addVite } from './development.ts'
import { builtSite, serveAssets, serveSite } from './site.ts'

export type Shop = { address: string; close: () => Promise<void> }

type Options = { development?: boolean; say?: (line: string) => void }

/** Opens the database, brings it up to date, listens. Throws a sentence when it cannot. */
export async function startShop(
  config: Config,
  { development = false, say = () => {} }: Options = {},
): Promise<Shop> {
  const { db, close } = await openDatabase({
    databaseUrl: config.DATABASE_URL,
    dataDir: config.DATA_DIR,
  })
  try {
    await migrate(db)
    const app = await createApp({ config, db })
    const load = development ? await addVite(app) : builtSite
    if (!development) await serveAssets(app)
    await serveSite(
      app,
      load,
      () => ({
        name: config.SHOP_NAME,
        currencyDisplay: config.CURRENCY_DISPLAY,
        currencyCharge: config.CURRENCY_CHARGE,
        demoAdmin: null,
      }),
      development,
    )
    const address = await app.listen({ port: config.PORT, host: config.HOST })
    say(`${config.SHOP_NAME} is open at ${address}`)
    return {
      address,
      close: async () => {
        await app.close()
        await close()
      },
    }
  } catch (error) {
    await close()
    throw error
  }
}
