/** Composes the home page's three carousel slides into app/settings/web/slides/. */
import { fileURLToPath } from 'node:url'
import sharp, { type Sharp } from 'sharp'
import { paint, type Scene } from '#demo/still-life.ts'

const WIDTH = 1600
const HEIGHT = 600
const FOLDER = new URL('../app/settings/web/slides/', import.meta.url)

type Colours = { light: string; deep: string; disc: string; floor: string; shade: string }

/** The left side is free for the page's text. */
const market = ({ light, deep, disc, floor }: Colours) => `
  <defs>
    <linearGradient id="wall" x1="0" y1="0" x2="1" y2=".6">
      <stop offset="0" stop-color="${light}"/><stop offset="1" stop-color="${deep}"/>
    </linearGradient>
    <linearGradient id="disc" x1=".2" y1="0" x2=".7" y2="1">
      <stop offset="0" stop-color="${disc}" stop-opacity=".95"/>
      <stop offset="1" stop-color="${disc}" stop-opacity=".1"/>
    </linearGradient>
    <linearGradient id="floor" x1="0" y1="0" x2="0" y2="1">
      <stop offset="0" stop-color="${floor}" stop-opacity=".55"/>
      <stop offset="1" stop-color="${floor}" stop-opacity=".05"/>
    </linearGradient>
  </defs>
  <rect width="${WIDTH}" height="${HEIGHT}" fill="url(#wall)"/>
  <circle cx="1120" cy="270" r="235" fill="url(#disc)"/>
  <circle cx="760" cy="120" r="46" fill="${disc}" fill-opacity=".35"/>
  <circle cx="1490" cy="110" r="78" fill="${disc}" fill-opacity=".28"/>
  <ellipse cx="1120" cy="505" rx="520" ry="92" fill="url(#floor)"/>`

type Place = [emoji: string, x: number, foot: number, size: number, hangs?: true]

const scene = (colours: Colours, places: Place[]): Scene => ({
  width: WIDTH,
  height: HEIGHT,
  backdrop: market(colours),
  shade: colours.shade,
  things: places.map(([emoji, x, foot, size, hangs]) => ({
    emoji,
    x,
    foot,
    width: size,
    height: size,
    ...(hangs && { hangs }),
  })),
})

/** From back to front. */
const SLIDES: Scene[] = [
  scene(
    { light: '#fff1d6', deep: '#f2a877', disc: '#fff8ea', floor: '#ffe9c9', shade: '#7a3414' },
    [
      ['1f3ee', 1475, 255, 190, true],
      ['1fab4', 880, 480, 250],
      ['1f3fa', 1355, 490, 300],
      ['1fad6', 1110, 500, 310],
      ['1f9fa', 1240, 530, 150],
      ['1f375', 945, 535, 150],
      ['1f96d', 1445, 530, 125],
    ],
  ),
  scene(
    { light: '#e6eefd', deep: '#8fa9ec', disc: '#f6f9ff', floor: '#eaf0ff', shade: '#253468' },
    [
      ['1f3b8', 1325, 480, 330],
      ['1f4fb', 895, 480, 250],
      ['1f3a7', 1095, 500, 290],
      ['1f4f7', 1255, 530, 200],
      ['1f3ba', 1465, 515, 210],
      ['1f3ae', 965, 545, 160],
    ],
  ),
  scene(
    { light: '#dff5ee', deep: '#6fc3b6', disc: '#f4fdfa', floor: '#e3f8f2', shade: '#10504c' },
    [
      ['1fa81', 1450, 270, 210, true],
      ['26fa', 1140, 490, 400],
      ['1f6b2', 1370, 525, 270],
      ['1f392', 890, 495, 240],
      ['1f97e', 1035, 545, 150],
      ['1f9ed', 1190, 550, 120],
    ],
  ),
]

const ENCODERS = {
  avif: (image: Sharp) => image.avif({ quality: 58, effort: 7 }),
  webp: (image: Sharp) => image.webp({ quality: 80, effort: 6 }),
  jpg: (image: Sharp) => image.jpeg({ quality: 80, mozjpeg: true }),
}

for (const [index, slide] of SLIDES.entries()) {
  const picture = await paint(slide)
  for (const width of [800, 1600]) {
    for (const [format, encode] of Object.entries(ENCODERS)) {
      const file = fileURLToPath(new URL(`slide-${index + 1}-${width}.${format}`, FOLDER))
      const { size } = await encode(sharp(picture).resize({ width })).toFile(file)
      console.log(`${file} ${Math.round(size / 1024)} KB`)
    }
  }
}
