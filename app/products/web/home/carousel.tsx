import { useRef } from 'react'
import { preload } from 'react-dom'
import type { Slide } from '#app/settings/contract.ts'
import { isBuiltIn, pictureOf } from '#app/settings/web/slides.ts'
import { Icon } from '#app/shared/web/pictures.tsx'

const CONTROL =
  'btn btn-circle btn-sm needs-script absolute bottom-3 border-none outline-[#33241a] lg:bottom-8 bg-white/80 text-[#33241a] lg:btn-md'

const SIZES = '(width >= 64rem) 62rem, 100vw'

/** Preloads the first picture with the page. Browsers that cannot display its format skip it. */
function preloadFirst(first: Slide) {
  const { src, srcSet, sources } = pictureOf(first)
  const [best] = sources
  preload(src, {
    as: 'image',
    ...(best && { type: best.type }),
    imageSrcSet: best?.srcSet ?? srcSet,
    imageSizes: SIZES,
    fetchPriority: 'high',
  })
}

type Props = { slides: Slide[] }

/**
 * The slides with previous and next (spec §2). It uses the browser's scrolling, so swiping and
 * arrow keys work, and no script is needed.
 */
export function Carousel({ slides }: Props) {
  const [first] = slides
  if (first) preloadFirst(first)
  const strip = useRef<HTMLDivElement>(null)
  const go = (by: number) => {
    if (!strip.current) return
    const { scrollLeft, clientWidth } = strip.current
    const now = Math.round(scrollLeft / clientWidth)
    const next = (now + by + slides.length) % slides.length
    strip.current.scrollTo({ left: next * clientWidth })
  }
  return (
    <section aria-label="Highlights" aria-roledescription="carousel">
      <div
        ref={strip}
        className="snap-x snap-mandatory overflow-x-auto rounded-box [scrollbar-width:none] motion-safe:scroll-smooth"
      >
        <div style={{ width: `${slides.length * 100}%` }}>
          <ul className="flex">
            {slides.map((slide, at) => (
              // slides have no ids, and two may be the same
              <SlideItem key={positionKey(at)} slide={slide} isFirst={at === 0} />
            ))}
          </ul>
          {slides.length > 1 && (
            // inside the scroller: while a button has the focus, the arrow keys scroll it
            <div className="sticky left-0 h-0" style={{ width: `${100 / slides.length}%` }}>
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
          )}
        </div>
      </div>
    </section>
  )
}

const positionKey = (at: number) => `slide-${at}`

function SlideItem({ slide, isFirst }: { slide: Slide; isFirst: boolean }) {
  const { title, text, link } = slide
  const { src, srcSet, sources } = pictureOf(slide)
  // an uploaded picture may be dark at the left: its text has a background
  const panel = isBuiltIn(slide) ? '' : 'bg-[#fffdf8]/85 pr-3'
  return (
    // as high as its shape, or as its text if that is higher
    <li className="relative flex flex-1 snap-center before:w-0 before:pt-[50%] sm:before:pt-[37.5%]">
      <picture>
        {sources.map((source) => (
          <source key={source.type} {...source} sizes={SIZES} />
        ))}
        <img
          src={src}
          srcSet={srcSet}
          sizes={SIZES}
          alt=""
          width={1600}
          height={600}
          loading={isFirst ? 'eager' : 'lazy'}
          fetchPriority={isFirst ? 'high' : 'low'}
          className="absolute inset-0 size-full object-cover"
        />
      </picture>
      <div
        className={`relative flex w-[46%] flex-col justify-center gap-1 py-2 pl-5 text-[#33241a] sm:gap-2 sm:pl-10 lg:pb-20 ${panel}`}
      >
        <p
          dir="auto"
          className="text-balance font-display font-semibold text-lg leading-tight sm:text-3xl lg:text-5xl"
        >
          {link === '' ? (
            title
          ) : (
            // the whole picture can be clicked
            <a
              href={link}
              className="outline-[#33241a] after:absolute after:inset-y-0 after:left-0 after:w-[217%]"
            >
              {title}
            </a>
          )}
        </p>
        <p dir="auto" className="text-xs sm:text-base lg:text-lg">
          {text}
        </p>
      </div>
    </li>
  )
}
