import { fileURLToPath } from 'node:url'
import sharp from 'sharp'

/** A file in demo/emoji without its ending: the code points of the emoji in hexadecimal. */
export type Emoji = string

/** An object of a picture: the middle of its base, and its bounding box, in pixels. */
export type Thing = {
  emoji: Emoji
  x: number
  foot: number
  width: number
  height: number
  /** The share of the remaining height by which it is lifted, so that it looks centred. */
  lift?: number
  /** Without a ground below it, and without its shadow. */
  hangs?: true
}

export type Scene = {
  width: number
  height: number
  /** The background: SVG elements. */
  backdrop: string
  /** The colour of the shadows. */
  shade: string
  things: Thing[]
}

type Layer = { input: Buffer; left: number; top: number; raw: Raw }
type CutOut = Layer & { hangs?: true }
type Raw = { width: number; height: number; channels: 4 }

/** Spread, offset and opacity of a shadow. */
const SPREAD = 40
const BLUR = 13
const FALL = 16
const DARKNESS = 0.34

const fileOf = (emoji: Emoji) => fileURLToPath(new URL(`emoji/${emoji}.webp`, import.meta.url))

/** The image cropped to its opaque pixels and scaled to its box. */
async function cutOut({ emoji, x, foot, width, height, lift = 0, hangs }: Thing): Promise<CutOut> {
  const { data, info } = await sharp(fileOf(emoji))
    .ensureAlpha()
    .trim()
    .resize({ width, height, fit: 'inside' })
    .raw()
    .toBuffer({ resolveWithObject: true })
  return {
    input: data,
    left: Math.round(x - info.width / 2),
    top: Math.round(foot - info.height - (height - info.height) * lift),
    raw: { width: info.width, height: info.height, channels: 4 },
    ...(hangs && { hangs }),
  }
}

/** The soft shadow of a cut-out on the wall. */
async function shadowOf({ input, left, top, raw }: Layer, shade: string): Promise<Layer> {
  const width = raw.width + 2 * SPREAD
  const height = raw.height + 2 * SPREAD
  const margin = { top: SPREAD, bottom: SPREAD, left: SPREAD, right: SPREAD }
  const darkness = await sharp(input, { raw })
    .extend({ ...margin, background: { r: 0, g: 0, b: 0, alpha: 0 } })
    .blur(BLUR)
    .linear([1, 1, 1, DARKNESS], [0, 0, 0, 0])
    .extractChannel(3)
    .raw()
    .toBuffer()
  const shadow = await sharp({ create: { width, height, channels: 3, background: shade } })
    .joinChannel(darkness, { raw: { width, height, channels: 1 } })
    .raw()
    .toBuffer()
  return {
    input: shadow,
    left: left - SPREAD,
    top: top - SPREAD + FALL,
    raw: { width, height, channels: 4 },
  }
}

/** The ground is darkest below an object. */
const ground = ({ raw, left, top }: Layer) =>
  `<ellipse cx="${left + raw.width / 2}" cy="${top + raw.height - 2}" rx="${raw.width * 0.46}" ry="${10 + raw.width * 0.035}" fill="url(#ground)"/>`

const painting = ({ width, height, backdrop, shade }: Scene, things: CutOut[]) => `
  <svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">
    <defs>
      <radialGradient id="ground">
        <stop offset="0" stop-color="${shade}" stop-opacity=".55"/>
        <stop offset=".55" stop-color="${shade}" stop-opacity=".22"/>
        <stop offset="1" stop-color="${shade}" stop-opacity="0"/>
      </radialGradient>
    </defs>
    ${backdrop}
    ${things
      .filter(({ hangs }) => !hangs)
      .map(ground)
      .join('')}
  </svg>`

/** Renders a scene as a PNG, from back to front. */
export async function paint(scene: Scene): Promise<Buffer> {
  const things = await Promise.all(scene.things.map(cutOut))
  const shadows = await Promise.all(things.map((thing) => shadowOf(thing, scene.shade)))
  const layers = things.flatMap((thing, index) => [shadows[index] ?? thing, thing])
  return sharp(Buffer.from(painting(scene, things)))
    .composite(layers)
    .removeAlpha()
    .png({ compressionLevel: 1 })
    .toBuffer()
}
