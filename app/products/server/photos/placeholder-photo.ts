import type { Darkroom } from './darkroom.ts'
import type { PhotoVariants } from './photo-variants.ts'

/** A quiet wall with a parcel on it: for products that nobody took a picture of yet. */
const DRAWING = `
<svg xmlns="http://www.w3.org/2000/svg" width="1280" height="960" viewBox="0 0 1280 960">
  <defs>
    <linearGradient id="wall" x1="0" y1="0" x2="0" y2="1">
      <stop offset="0" stop-color="#f6f2ec"/>
      <stop offset="1" stop-color="#e7e0d6"/>
    </linearGradient>
    <radialGradient id="shadow">
      <stop offset="0" stop-color="#8d8172" stop-opacity=".4"/>
      <stop offset="1" stop-color="#8d8172" stop-opacity="0"/>
    </radialGradient>
  </defs>
  <rect width="1280" height="960" fill="url(#wall)"/>
  <ellipse cx="640" cy="690" rx="270" ry="42" fill="url(#shadow)"/>
  <g stroke="#b3a796" stroke-width="10" stroke-linejoin="round" stroke-linecap="round">
    <path d="M640 300 840 395 840 590 640 690 440 590 440 395Z" fill="#efe9e0"/>
    <path d="M640 490 840 395 840 590 640 690Z" fill="#e2d9cc"/>
    <path d="M640 300 840 395 640 490 440 395Z" fill="#f7f3ed"/>
    <path d="M540 347 740 442 740 520" fill="none"/>
  </g>
</svg>`

/** Draws the placeholder, in every size and format that photos have. */
export async function drawPlaceholder(darkroom: Darkroom): Promise<PhotoVariants> {
  const drawn = await darkroom({ bytes: Buffer.from(DRAWING), drawing: true })
  if (typeof drawn === 'string') throw new Error(`The placeholder is ${drawn}.`)
  return drawn
}
