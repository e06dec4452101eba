/**
 * Draws the icons of a shop without a logo from public/favicon.svg, and the background of its picture for
 * shared links. Run it when the icon changes.
 */
import { readFile, writeFile } from 'node:fs/promises'
import sharp from 'sharp'
import { DEFAULT_ICONS, drawIcon, SHOP_ICONS } from '#app/seo/server/pictures/icons.ts'
import { PAPER } from '#app/seo/server/pictures/share-picture.ts'

const PICTURE = new URL('../app/seo/server/pictures/share-background.png', import.meta.url)

const ICON = await readFile(new URL('../public/favicon.svg', import.meta.url))
const ICON_WIDTH = 32
/** The width of the largest icon. */
const MAX_SIZE = Math.max(...SHOP_ICONS.map(({ size }) => size))

const scallops = Array.from({ length: 8 }, (_, at) => {
  const colour = at % 2 ? '#e9a23b' : '#b4441f'
  return `<path fill="${colour}" d="M${80 + at * 40} 60h40v86a20 20 0 0 1-40 0z"/>`
})

/** The market stall of the information pages, on paper. */
const SHARE_BACKGROUND = `<svg xmlns="http://www.w3.org/2000/svg" width="1200" height="630">
<rect width="1200" height="630" fill="${PAPER}"/>
<rect y="606" width="1200" height="24" fill="#b4441f"/>
<g transform="translate(610 75) scale(1.15)">
<circle cx="240" cy="200" r="190" fill="#e9a23b" fill-opacity=".2"/>
<path fill="#3d2c20" d="M92 150h12v200H92zM376 150h12v200h-12z"/>
<path fill="#1f5c49" d="M72 250h336v20H72zM84 270h312v86H84z"/>
<path stroke="#fffdf8" stroke-opacity=".25" stroke-width="2" d="M84 292h312M84 314h312M84 336h312"/>
<g fill="#e9a23b"><circle cx="120" cy="238" r="15"/><circle cx="150" cy="238" r="15"/><circle cx="135" cy="216" r="15"/></g>
<path fill="#3b4c9b" d="M196 250v-42q0-14 12-18v-16h24v16q12 4 12 18v42z"/>
<path fill="#b4441f" d="M262 250l8-46h48l8 46z"/>
<path fill="none" stroke="#b4441f" stroke-width="7" d="M278 204q16-52 32 0"/>
<path fill="#3d2c20" d="M342 250v-30h38v30z"/>
<path fill="#2b7145" d="M361 220q-26-14-14-44 18 12 14 44 0-32 22-38 4 30-22 38"/>
${scallops.join('\n')}
<path fill="#3d2c20" d="M72 52h336v16H72z"/>
</g></svg>`

const drawing = await sharp(ICON, { density: (72 * MAX_SIZE) / ICON_WIDTH })
  .png()
  .toBuffer()
for (const icon of SHOP_ICONS)
  await writeFile(new URL(icon.name, DEFAULT_ICONS), await drawIcon(icon, drawing))
await writeFile(
  PICTURE,
  await sharp(Buffer.from(SHARE_BACKGROUND)).png({ palette: true }).toBuffer(),
)
