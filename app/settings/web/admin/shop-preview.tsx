import type { CSSProperties } from 'react'
import type { Settings } from '#app/settings/admin-contract.ts'
import { pictureUrl } from '#app/settings/contract.ts'
import { accentProblem } from '#app/settings/model.ts'
import { DEFAULT_ACCENT, themesOf } from '#app/settings/theme-model.ts'
import { useMoney } from '#app/shared/web/use-money.ts'
import { isBuiltIn, pictureOf } from '../slides.ts'

/** The colours of a theme; none for the default, and for a colour that is refused. */
function styleFor(accent: string, theme: 'light' | 'dark'): CSSProperties | undefined {
  if (accent === DEFAULT_ACCENT || accentProblem(accent) !== null) return undefined
  const colours = Object.entries(themesOf(accent.toLowerCase())[theme])
  return Object.fromEntries(colours.map(([name, hex]) => [`--color-${name}`, hex]))
}

/** The shop as its settings would show it, in the themes that visitors may have. */
export function ShopPreview({ settings }: { settings: Settings }) {
  const { scheme } = settings
  return (
    <section aria-label="Preview" className="space-y-4 xl:sticky xl:top-24">
      {scheme !== 'dark' && <PreviewPage settings={settings} theme="light" />}
      {scheme !== 'light' && <PreviewPage settings={settings} theme="dark" />}
    </section>
  )
}

type PageProps = { settings: Settings; theme: 'light' | 'dark' }

function PreviewPage({ settings, theme }: PageProps) {
  const { name, logo, slides, accent, lowStock } = settings
  const [slide] = slides
  return (
    <figure className="space-y-1">
      <figcaption className="text-base-content/75 text-sm">
        {theme === 'light' ? 'Light' : 'Dark'}
      </figcaption>
      <div
        data-theme={theme}
        style={styleFor(accent, theme)}
        className="overflow-hidden rounded-box border border-base-300 bg-base-200 text-base-content"
      >
        <div className="flex h-12 items-center bg-base-100 px-4">
          {logo === null ? (
            <strong className="truncate font-display text-primary text-xl">{name}</strong>
          ) : (
            <img src={pictureUrl(logo, 400)} alt={name} className="h-8 w-auto max-w-32 logo" />
          )}
        </div>
        <div aria-hidden="true" className="awning" />
        <div className="space-y-3 p-4">
          {slide && slide.picture !== '' && (
            <div className="relative flex overflow-hidden rounded-field before:w-0 before:pt-[37.5%]">
              <img
                src={pictureOf(slide).src}
                alt=""
                className="absolute inset-0 size-full object-cover"
              />
              <div
                className={`relative flex w-[46%] flex-col justify-center gap-1 px-3 py-2 text-[#33241a] ${isBuiltIn(slide) ? '' : 'bg-[#fffdf8]/85'}`}
              >
                <p className="font-display font-semibold text-sm">{slide.title}</p>
                <p className="text-xs">{slide.text}</p>
              </div>
            </div>
          )}
          <div className="surface flex flex-wrap items-center justify-between gap-2 p-3">
            <span>{useMoney()(24.5)}</span>
            <span className="badge badge-accent rounded-full">Only {lowStock || 1} left</span>
            <span className="btn btn-primary btn-sm pointer-events-none">Add to Cart</span>
            <span className="btn btn-secondary btn-sm pointer-events-none">Search</span>
          </div>
        </div>
      </div>
    </figure>
  )
}
