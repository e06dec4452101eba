import { pictureOf } from '#app/products/web/home/slides.ts'
import type { Slide } from '#app/settings/contract.ts'
import { MAX_SLIDES } from '#app/settings/model.ts'
import { Field } from '#app/shared/web/form/field.tsx'
import { PictureInput } from './picture-input.tsx'
import { Section } from './section.tsx'
import {
  addSlide,
  changeSlide,
  controlOf,
  type Draft,
  moveSlide,
  removeSlide,
} from './settings-draft.ts'

/** The slides of the home page, in order. */
export function SlideFields({ draft }: { draft: Draft }) {
  const { slides, changeSlides, problemOf } = draft
  const problem = problemOf('slides')
  return (
    <Section title="Slides of the home page">
      {slides.length === 0 && <p>There are no slides: the home page shows its products only.</p>}
      <ol className="space-y-4">
        {slides.map(({ key, slide }, at) => (
          <SlideForm
            key={key}
            at={at}
            slide={slide}
            count={slides.length}
            problemOf={problemOf}
            onChange={(changes) => changeSlides(changeSlide(key, changes))}
            onMove={(by) => changeSlides(moveSlide(key, by))}
            onRemove={() => changeSlides(removeSlide(key))}
          />
        ))}
      </ol>
      {problem && <p className="font-semibold text-error text-sm">{problem}</p>}
      {slides.length < MAX_SLIDES && (
        <button type="button" className="btn btn-sm" onClick={() => changeSlides(addSlide)}>
          Add a slide
        </button>
      )}
    </Section>
  )
}

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
  const field = (part: keyof Slide, read = (text: string) => text) =>
    controlOf(`slides.${at}.${part}`, slide[part], (text) => onChange({ [part]: read(text) }))
  const name = `Slide ${at + 1}`
  return (
    <li>
      <fieldset className="grid gap-4 rounded-field border border-base-300 p-4 sm:grid-cols-2">
        <legend className="px-1 font-medium">{name}</legend>
        <div className="space-y-3">
          {slide.picture !== '' && (
            <img
              src={pictureOf(slide).src}
              alt={name}
              className="aspect-[8/3] w-full rounded-field object-cover"
            />
          )}
          <PictureInput
            label="Picture"
            hint="Best 1600 × 600 pixels, with its subject at the right: the text is at the left."
            problem={problemOf(`slides.${at}.picture`)}
            onUploaded={({ id }) => onChange({ picture: id })}
          />
        </div>
        <div className="space-y-4">
          <Field label="Title" {...field('title')} />
          <Field label="Text" {...field('text')} />
          <Field
            label="Link"
            hint="Such as /category/mugs, or empty."
            {...field('link', (text) => text.trim())}
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
