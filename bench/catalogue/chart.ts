/** Lines over the size of the catalogue, as an SVG that is legible on light and on dark pages. */

export type Point = { products: number; ms: number }
export type Line = { name: string; points: Point[] }
export type Panel = { title: string; lines: Line[] }

const WIDTH = 420
const HEIGHT = 360
const MARGIN = { left: 44, top: 44, right: 225, bottom: 40 }
const PANEL = WIDTH + MARGIN.left + MARGIN.right
const LABEL_HEIGHT = 15
const TICKS = 5

const COLOURS = [
  '#2f6fde',
  '#c2571a',
  '#1a8f5f',
  '#9a4fc4',
  '#b8860b',
  '#c73a63',
  '#178a9e',
  '#6b7280',
]

const STYLE = `
  text { font: 12px system-ui, sans-serif; fill: #374151 }
  .title { font-size: 14px; font-weight: 600; fill: #111827 }
  .grid { stroke: #d1d5db; stroke-width: 1 }
  .line { fill: none; stroke-width: 2 }
  @media (prefers-color-scheme: dark) {
    text { fill: #c9d1d9 }
    .title { fill: #f0f6fc }
    .grid { stroke: #3d444d }
    .line, circle, .label { filter: brightness(1.35) }
  }`

const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

const at = (number: number) => number.toFixed(1)

/** A round number of milliseconds a tick, so that a few ticks reach as far as `most`. */
export function tickOf(most: number): number {
  const rough = Math.max(most, 0.1) / TICKS
  const power = 10 ** Math.floor(Math.log10(rough))
  return ([1, 2, 5, 10].find((step) => step * power >= rough) ?? 10) * power
}

/** Where labels stand that want to stand there: near it, none touching another or below `lowest`. */
export function apart(wanted: number[], least: number, lowest: number): number[] {
  const order = wanted.map((_, index) => index).sort((a, b) => (wanted[b] ?? 0) - (wanted[a] ?? 0))
  const places = [...wanted]
  let last = lowest + least
  for (const index of order) {
    last = Math.min(last - least, wanted[index] ?? 0)
    places[index] = last
  }
  return places
}

type Scale = { x: (products: number) => number; y: (ms: number) => number }

function scaleOf(lines: Line[], tick: number): Scale {
  const points = lines.flatMap((line) => line.points)
  const sizes = points.map(({ products }) => Math.log10(products))
  const [least, most] = [Math.min(...sizes), Math.max(...sizes)]
  return {
    x: (products) =>
      MARGIN.left + (WIDTH * (Math.log10(products) - least)) / Math.max(most - least, 1),
    y: (ms) => MARGIN.top + HEIGHT * (1 - ms / (tick * TICKS)),
  }
}

function axes(lines: Line[], tick: number, { x, y }: Scale): string[] {
  const sizes = [...new Set(lines.flatMap(({ points }) => points.map(({ products }) => products)))]
  const bottom = y(0) + 20
  return [
    ...Array.from({ length: TICKS + 1 }, (_, step) => {
      const ms = Number((step * tick).toPrecision(6))
      return `<path class="grid" d="M${MARGIN.left} ${at(y(ms))}h${WIDTH}"/><text x="${MARGIN.left - 8}" y="${at(y(ms) + 4)}" text-anchor="end">${ms}</text>`
    }),
    ...sizes.map(
      (size) =>
        `<text x="${at(x(size))}" y="${at(bottom)}" text-anchor="middle">${size.toLocaleString('en')}</text>`,
    ),
  ]
}

function drawLines(lines: Line[], { x, y }: Scale): string[] {
  const ends = lines.map(({ points }) => y(points.at(-1)?.ms ?? 0))
  const places = apart(ends, LABEL_HEIGHT, y(0))
  return lines.map(({ name, points }, index) => {
    const colour = COLOURS[index % COLOURS.length]
    const spots = points.map(({ products, ms }) => [at(x(products)), at(y(ms))] as const)
    const path = spots.map(([left, top]) => `${left} ${top}`).join('L')
    const dots = spots.map(([left, top]) => `<circle cx="${left}" cy="${top}" r="3"/>`).join('')
    const label = `<text class="label" x="${MARGIN.left + WIDTH + 10}" y="${at((places[index] ?? 0) + 4)}" style="fill:${colour}">${escaped(name)}</text>`
    return `<g fill="${colour}"><path class="line" stroke="${colour}" d="M${path}"/>${dots}${label}</g>`
  })
}

function drawPanel({ title, lines }: Panel, index: number): string {
  const most = Math.max(...lines.flatMap(({ points }) => points.map(({ ms }) => ms)))
  const tick = tickOf(most)
  const scale = scaleOf(lines, tick)
  const content = [
    `<text class="title" x="${MARGIN.left}" y="20">${escaped(title)}</text>`,
    ...axes(lines, tick, scale),
    ...drawLines(lines, scale),
  ]
  return `<g transform="translate(${index * PANEL} 0)">\n${content.join('\n')}\n</g>`
}

/** The panels side by side, as the text of an SVG. */
export function drawChart(description: string, panels: Panel[]): string {
  const [width, height] = [PANEL * panels.length, HEIGHT + MARGIN.top + MARGIN.bottom]
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-label="${escaped(description)}">`,
    `<style>${STYLE}\n</style>`,
    ...panels.map(drawPanel),
    '</svg>\n',
  ].join('\n')
}
