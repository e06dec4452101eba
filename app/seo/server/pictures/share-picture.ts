import { fileURLToPath } from 'node:url'
import pLimit from 'p-limit'
import { SHARE_SIZE } from '#app/shared/model/share-picture.ts'
import { loadSharp } from '#app/shared/server/pictures/load-sharp.ts'
import { escapeXml } from '../xml.ts'

/** A market stall on the right, with room for the name on the left; `node tools/draw-icons.ts` draws it. */
const BACKGROUND = fileURLToPath(new URL('./share-background.png', import.meta.url))
/** Latin letters only; others come from the fonts of the machine. */
const FONT = fileURLToPath(new URL('./fraunces.ttf', import.meta.url))

export const PAPER = '#fffdf8'
const INK = '#2a211b'

/** The place of the name, in pixels. */
const NAME = { left: 90, width: 480, height: 240 }

const limit = pLimit(1)

/** The place of the logo, in pixels. */
const LOGO = { left: 670, width: 440, height: 440 }

/** The logo on paper. */
async function backgroundOf(logo: Buffer) {
  const sharp = await loadSharp()
  const { left, ...size } = LOGO
  const input = await sharp(logo)
    .resize({ ...size, fit: 'inside' })
    .png()
    .toBuffer()
  const { width, height } = await sharp(input).metadata()
  const place = {
    left: left + Math.round((size.width - width) / 2),
    top: Math.round((SHARE_SIZE.height - height) / 2),
  }
  const paper = sharp({ create: { ...SHARE_SIZE, channels: 3, background: PAPER } })
  return paper
    .composite([{ input, ...place }])
    .png()
    .toBuffer()
}

/** The picture for shared links of the shop itself: its name beside its logo, or a market stall. */
export const drawShopPicture = (name: string, logo?: Buffer): Promise<Buffer> =>
  limit(async () => {
    const sharp = await loadSharp()
    const text = {
      text: `<span foreground="${INK}">${escapeXml(name)}</span>`,
      font: 'Fraunces 600',
      fontfile: FONT,
      width: NAME.width,
      height: NAME.height,
      rgba: true,
    }
    const { data, info } = await sharp({ text }).png().toBuffer({ resolveWithObject: true })
    const top = Math.round((SHARE_SIZE.height - info.height) / 2)
    return sharp(logo ? await backgroundOf(logo) : BACKGROUND)
      .composite([{ input: data, left: NAME.left, top }])
      .png({ palette: true })
      .toBuffer()
  })

/** A photo for shared links: whole, on the shop's paper. */
export const drawProductPicture = (photo: Buffer): Promise<Buffer> =>
  limit(async () => {
    const sharp = await loadSharp()
    return sharp(photo)
      .resize({ ...SHARE_SIZE, fit: 'contain', background: PAPER })
      .jpeg({ quality: 82, progressive: true })
      .toBuffer()
  })
