const files = import.meta.glob<string>('../slides/*.{avif,webp,jpg}', {
  eager: true,
  query: '?url',
  import: 'default',
})

const srcSet = (slide: number, format: string) =>
  [800, 1600]
    .map((width) => `${files[`../slides/slide-${slide}-${width}.${format}`]} ${width}w`)
    .join(', ')

const slide = (number: number, title: string, line: string) => ({
  title,
  line,
  src: files[`../slides/slide-${number}-800.jpg`],
  avif: srcSet(number, 'avif'),
  webp: srcSet(number, 'webp'),
  jpg: srcSet(number, 'jpg'),
})

/** The pictures of the carousel; their left side is free for text. */
export const SLIDES = [
  slide(1, 'For slower mornings', 'Tea, clay and good company.'),
  slide(2, 'Turn the music up', 'Things to hear, see and play.'),
  slide(3, 'Sleep under the stars', 'All you need, and not a thing more.'),
]
