/** The merchant's logo as e-mail clients display it. */
import { pictureBytes } from '#app/settings/server/service.ts'
import { loadSharp } from '#app/shared/server/pictures/load-sharp.ts'
import type { Database } from '#db/schema.ts'
import type { MailingShop } from './settings.ts'

/** The largest size in an e-mail, as in the header of the pages. */
const MOST = { width: 160, height: 40 }
/** Physical pixels of a pixel on most phones. */
const DENSITY = 2

export type Logo = {
  /** PNG, which all clients display, unlike WebP and AVIF. */
  bytes: Buffer
  width: number
  height: number
}

/** The logo, so large that it is sharp on phones; null when the shop has none. */
export async function logoOf(db: Database, { logo }: MailingShop): Promise<Logo | null> {
  const original = logo && (await pictureBytes(db, logo.id))
  if (!original) return null
  const sharp = await loadSharp()
  const { data, info } = await sharp(original)
    .resize({ width: MOST.width * DENSITY, height: MOST.height * DENSITY, fit: 'inside' })
    .png({ palette: true })
    .toBuffer({ resolveWithObject: true })
  const { width, height } = info
  return {
    bytes: data,
    width: Math.round(width / DENSITY),
    height: Math.round(height / DENSITY),
  }
}
