import { use } from 'react'
import { pictureOf } from '#app/products/web/home/slides.ts'
import type { Slide } from '#app/settings/contract.ts'
import { MAX_SLIDES, slidesProblem } from '#app/settings/model.ts'
import { Field } from '#app/shared/web/form/field.tsx'
import { FormProblems } from '#app/shared/web/form/problem.ts'
import { PictureInput } from './picture-input.tsx'
import { Section } from './section.tsx'
import { controlOf, type Draft, keyed, type SlideDraft } from './settings-draft.ts'

/** The slides of the home page, in order. */
export function SlideFields({ draft: { slides, changeSlides } }: { draft: Draft }) {
  const { problems, mend } = use(FormProblems)
  /** Changes the order, by which the problems of slides are named. */
  const reorder = (changed: (present: SlideDraft[]) => SlideDraft[]) => {
    changeSlides(changed)
    for (const { field } of problems) if (field.startsWith('slides.')) mend(field)
  }
  const problem = slidesProblem(slides)
  return (
    <Section title="Slides of the home page">
      {slides.length === 0 && <p>There are no slides: the home page shows its products only.</p>}
      <ol className="space-y-4">
        {slides.map(({ key, ...slide }, at) => (
          <SlideForm
            key={key}
            at={at}
            slide={slide}
            count={slides.length}
            onChange={(changes) =>
              changeSlides((present) =>
                present.map((one) => (one.key === key ? { ...one, ...changes } : one)),
              )
            }
            onMove={(by) =>
              reorder((present) =>
                present.toSpliced(at, 1).toSpliced(at + by, 0, ...present.slice(at, at + 1)),
              )
            }
            onRemove={() => reorder((present) => present.filter((one) => one.key !== key))}
          />
        ))}
      </ol>
      {problem && <p className="font-semibold text-error text-sm">{problem}</p>}
      {slides.length < MAX_SLIDES && (
        <button
          type="button"
          className="btn btn-sm"
          onClick={() =>
            changeSlides((present) => [
              ...present,
              keyed({ picture: '', title: '', text: '', link: '' }),
            ])
          }
        >
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
  onChange: (changes: Partial<Slide>) => void
  onMove: (by: -1 | 1) => void
  onRemove: () => void
}

function SlideForm({ at, slide, count, onChange, onMove, onRemove }: SlideFormProps) {
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
            name={`slides.${at}.picture`}
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
