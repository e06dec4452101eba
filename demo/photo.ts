import { type Emoji, paint } from './still-life.ts'

/** The colours of a category's photos: a wall in the light and in the shade, a disc, a shadow. */
export type Palette = { light: string; deep: string; disc: string; shade: string }

const WIDTH = 640
const HEIGHT = 480

const wall = ({ light, deep, disc }: Palette) => `
  <defs>
    <linearGradient id="wall" x1="0" y1="0" x2="1" y2="1">
      <stop offset="0" stop-color="${light}"/><stop offset="1" stop-color="${deep}"/>
    </linearGradient>
    <linearGradient id="disc" x1=".2" y1="0" x2=".7" y2="1">
      <stop offset="0" stop-color="${disc}" stop-opacity=".95"/>
      <stop offset="1" stop-color="${disc}" stop-opacity=".25"/>
    </linearGradient>
  </defs>
  <rect width="${WIDTH}" height="${HEIGHT}" fill="url(#wall)"/>
  <circle cx="${WIDTH / 2}" cy="232" r="196" fill="url(#disc)"/>`

/**
 * Renders the photo of a demo product. The emoji has 256 pixels, so a larger photo would only be
 * upscaled.
 */
export const renderPhoto = (emoji: Emoji, palette: Palette): Promise<Buffer> =>
  paint({
    width: WIDTH,
    height: HEIGHT,
    backdrop: wall(palette),
    shade: palette.shade,
    things: [{ emoji, x: WIDTH / 2, foot: 382, width: 330, height: 288, lift: 0.4 }],
  })
