import { pictureOf } from '#app/products/web/home/slides.ts'
import { MOST_SLIDES } from '#app/settings/checks-contract.ts'
import type { Slide } from '#app/settings/contract.ts'
import { PictureInput } from './picture-input.tsx'
import { Section, SettingInput } from './setting-field.tsx'
import type { Draft } from './settings-draft.ts'

const NEW_SLIDE: Slide = { picture: '', title: '', text: '', link: '' }

/** The slides of the home page, in order. */
export function SlideFields({ draft }: { draft: Draft }) {
  const { settings, problemOf, change } = draft
  const { slides } = settings
  const set = (next: Slide[]) => change({ slides: next })
  const move = (at: number, by: number) => {
    const next = slides.toSpliced(at, 1)
    const moved = slides[at]
    if (moved) set(next.toSpliced(at + by, 0, moved))
  }
  const problem = problemOf('slides')
  return (
    <Section title="Slides of the home page">
      {slides.length === 0 && <p>There are no slides: the home page shows its products only.</p>}
      <ol className="space-y-4">
        {slides.map((slide, at) => (
          <SlideForm
            // slides have no ids: the position is what an admin edits
            key={positionKey(at)}
            at={at}
            slide={slide}
            count={slides.length}
            problemOf={problemOf}
            onChange={(changes) => set(slides.with(at, { ...slide, ...changes }))}
            onMove={(by) => move(at, by)}
            onRemove={() => set(slides.toSpliced(at, 1))}
          />
        ))}
      </ol>
      {problem && <p className="font-semibold text-error text-sm">{problem}</p>}
      {slides.length < MOST_SLIDES && (
        <button type="button" className="btn btn-sm" onClick={() => set([...slides, NEW_SLIDE])}>
          Add a slide
        </button>
      )}
    </Section>
  )
}

const positionKey = (at: number) => `slide-${at}`

type SlideFormProps = {
  at: number
  slide: Slide
  count: number
  problemOf: Draft['problemOf']
  onChange: (changes: Partial<Slide>) => void
  onMove: (by: -1 | 1) => void
  onRemove: () => void
}

function SlideForm({ at, slide, count, problemOf, onChange, onMove, onRemove }: SlideFormProps) {
  const of = (field: keyof Slide) => problemOf(`slides.${at}.${field}`)
  const name = `Slide ${at + 1}`
  return (
    <li>
      <fieldset className="grid gap-4 rounded-field border border-base-300 p-4 sm:grid-cols-2">
        <legend className="px-1 font-medium">{name}</legend>
        <div className="space-y-3">
          {slide.picture !== '' && (
            <img
              src={pictureOf(slide).src}
              alt={`Slide ${at + 1}`}
              className="aspect-[8/3] w-full rounded-field object-cover"
            />
          )}
          <PictureInput
            label="Picture"
            problem={of('picture')}
            onUploaded={({ id }) => onChange({ picture: id })}
          />
        </div>
        <div className="space-y-4">
          <SettingInput
            label="Title"
            value={slide.title}
            problem={of('title')}
            onChange={(title) => onChange({ title })}
          />
          <SettingInput
            label="Text"
            value={slide.text}
            problem={of('text')}
            onChange={(text) => onChange({ text })}
          />
          <SettingInput
            label="Link"
            hint="Such as /category/mugs, or empty."
            value={slide.link}
            problem={of('link')}
            onChange={(link) => onChange({ link: link.trim() })}
          />
        </div>
        <div className="flex flex-wrap gap-2 sm:col-span-2">
          <button
            type="button"
            className="btn btn-sm"
            disabled={at === 0}
            onClick={() => onMove(-1)}
          >
            Move up<span className="sr-only"> {name}</span>
          </button>
          <button
            type="button"
            className="btn btn-sm"
            disabled={at === count - 1}
            onClick={() => onMove(1)}
          >
            Move down<span className="sr-only"> {name}</span>
          </button>
          <button type="button" className="btn btn-sm btn-ghost text-error" onClick={onRemove}>
            Remove<span className="sr-only"> {name}</span>
          </button>
        </div>
      </fieldset>
    </li>
  )
}
