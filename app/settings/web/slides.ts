import { pictureUrl, type Slide } from '../contract.ts'

const files = import.meta.glob<string>('./slides/*.{avif,webp,jpg}', {
  eager: true,
  query: '?url',
  import: 'default',
})

const WIDTHS = [800, 1600] as const

/** The files of a slide's picture. */
export type SlidePicture = {
  src: string
  srcSet: string
  /** Better formats of a picture that comes with the shop, best first. */
  sources: { type: string; srcSet: string }[]
}

const srcSetOf = (name: string, format: string) =>
  WIDTHS.map((width) => `${files[`./slides/${name}-${width}.${format}`]} ${width}w`).join(', ')

/** A picture that comes with the shop: its left side is free for text. */
const builtIn = (name: string): SlidePicture => ({
  src: files[`./slides/${name}-800.jpg`] ?? '',
  srcSet: srcSetOf(name, 'jpg'),
  sources: ['avif', 'webp'].map((format) => ({
    type: `image/${format}`,
    srcSet: srcSetOf(name, format),
  })),
})

/** An uploaded picture: its address has the format that the browser prefers. */
const uploaded = (id: string): SlidePicture => ({
  src: pictureUrl(id, 800),
  srcSet: WIDTHS.map((width) => `${pictureUrl(id, width)} ${width}w`).join(', '),
  sources: [],
})

export const isBuiltIn = ({ picture }: Pick<Slide, 'picture'>) => picture.startsWith('slide-')

export const pictureOf = (slide: Pick<Slide, 'picture'>): SlidePicture =>
  isBuiltIn(slide) ? builtIn(slide.picture) : uploaded(slide.picture)
