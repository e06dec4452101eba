/** The icons of browser tabs and home screens. */
import { readFile } from 'node:fs/promises'
import pLimit from 'p-limit'
import { loadSharp } from '#app/shared/server/pictures/load-sharp.ts'
import { PAPER } from './share-picture.ts'

type ShopIcon = {
  name: string
  /** The width in pixels. */
  size: number
  /** The part of the width that a logo takes: home screens cut icons to a circle, or round them. */
  part: number
  /** Whether home screens would show it on a colour of their own otherwise. */
  isOpaque: boolean
}

/** All are PNG, also the one with the name that browsers ask for by themselves. */
export const SHOP_ICONS: ShopIcon[] = [
  { name: 'favicon.ico', size: 32, part: 1, isOpaque: false },
  { name: 'icon-192.png', size: 192, part: 1, isOpaque: false },
  { name: 'icon-512.png', size: 512, part: 1, isOpaque: false },
  { name: 'icon-maskable-512.png', size: 512, part: 0.6, isOpaque: true },
  { name: 'apple-touch-icon.png', size: 180, part: 0.8, isOpaque: true },
]

/** The folder of the icons of a shop without a logo: a market stall, which `node tools/draw-icons.ts` draws. */
export const DEFAULT_ICONS = new URL('./icons/', import.meta.url)

const CLEAR = { r: 255, g: 255, b: 255, alpha: 0 }

const limit = pLimit(1)

/** The whole logo in the middle of a square, on paper or on nothing, as PNG. */
async function squareOf(logo: Buffer, { size, part, isOpaque }: ShopIcon): Promise<Buffer> {
  const sharp = await loadSharp()
  const inner = Math.round(size * part)
  const before = Math.floor((size - inner) / 2)
  const after = size - inner - before
  const background = isOpaque ? PAPER : CLEAR
  const square = sharp(logo)
    .resize({ width: inner, height: inner, fit: 'contain', background })
    .extend({ top: before, left: before, bottom: after, right: after, background })
  return (isOpaque ? square.flatten({ background }) : square).png({ palette: true }).toBuffer()
}

/** An icon made from the logo, or a market stall for a shop without one. */
export async function drawIcon(icon: ShopIcon, logo: Buffer | undefined): Promise<Buffer> {
  if (!logo) return readFile(new URL(icon.name, DEFAULT_ICONS))
  return limit(() => squareOf(logo, icon))
}
