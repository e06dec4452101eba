import { useRef } from 'react'
import { preload } from 'react-dom'
import { Icon } from '#app/shared/web/icon.tsx'
import { SLIDES } from './slides.ts'

const CONTROL =
  'btn btn-circle btn-sm needs-script absolute bottom-3 border-none outline-[#33241a] lg:bottom-8 bg-white/80 text-[#33241a] lg:btn-md'

const SIZES = '(width >= 64rem) 62rem, 100vw'

/** Preloads the first picture with the page. Browsers that cannot display its format skip it. */
function preloadFirst() {
  const [first] = SLIDES
  preload(first?.src ?? '', {
    as: 'image',
    type: 'image/avif',
    imageSrcSet: first?.avif ?? '',
    imageSizes: SIZES,
    fetchPriority: 'high',
  })
}

/**
 * Three slides with previous and next (spec §2). It uses the browser's scrolling, so swiping and
 * arrow keys work, and no script is needed.
 */
export function Carousel() {
  preloadFirst()
  const strip = useRef<HTMLDivElement>(null)
  const go = (by: number) => {
    if (!strip.current) return
    const { scrollLeft, clientWidth } = strip.current
    const now = Math.round(scrollLeft / clientWidth)
    const next = (now + by + SLIDES.length) % SLIDES.length
    strip.current.scrollTo({ left: next * clientWidth })
  }
  return (
    <section aria-label="Highlights" aria-roledescription="carousel">
      <div
        ref={strip}
        className="snap-x snap-mandatory overflow-x-auto rounded-box [scrollbar-width:none] motion-safe:scroll-smooth"
      >
        <div className="w-[300%]">
          <ul className="flex">
            {SLIDES.map(({ title, line, src, avif, webp, jpg }, at) => (
              <li key={title} className="relative aspect-[8/3] flex-1 snap-center">
                <picture>
                  <source type="image/avif" srcSet={avif} sizes={SIZES} />
                  <source type="image/webp" srcSet={webp} sizes={SIZES} />
                  <img
                    src={src}
                    srcSet={jpg}
                    sizes={SIZES}
                    alt=""
                    width={1600}
                    height={600}
                    loading={at === 0 ? 'eager' : 'lazy'}
                    fetchPriority={at === 0 ? 'high' : 'low'}
                    className="size-full object-cover"
                  />
                </picture>
                <div className="absolute inset-y-0 left-0 flex w-[46%] flex-col justify-center gap-2 pl-5 lg:pb-12 text-[#33241a] sm:pl-10">
                  <p className="text-balance font-display font-semibold text-xl leading-tight sm:text-3xl lg:text-5xl">
                    {title}
                  </p>
                  <p className="hidden sm:block lg:text-lg">{line}</p>
                </div>
              </li>
            ))}
          </ul>
          {/* inside the scroller: while a button has the focus, the arrow keys scroll it */}
          <div className="sticky left-0 h-0 w-1/3">
            <button
              type="button"
              aria-label="Previous"
              onClick={() => go(-1)}
              className={`${CONTROL} right-13 lg:left-10`}
            >
              <Icon name="left" />
            </button>
            <button
              type="button"
              aria-label="Next"
              onClick={() => go(1)}
              className={`${CONTROL} right-3 lg:left-24`}
            >
              <Icon name="right" />
            </button>
          </div>
        </div>
      </div>
    </section>
  )
}
