import { use, useState } from 'react'
import { Field, HiddenValue } from '#app/back-office/kit/fields.tsx'
import { Card } from '#app/back-office/kit/page.tsx'
import type { Slide } from '#app/settings/contract.ts'
import { MAX_SLIDES } from '#app/settings/model.ts'
import { FormProblems } from '#app/shared/web/form/problem.ts'
import { ReasonButton } from '#app/shared/web/form/reason-button.tsx'
import { PictureField } from './brand-fields.tsx'
import { slideField } from './settings-form.ts'

/** A slide as it began. Its key stays when the slide is moved, and with it what is typed or uploading. */
const keyed = (slide: Slide) => ({ slide, key: crypto.randomUUID() })

type Props = { label: string; name: string; slides: Slide[] }

/** The slides of the home page, in order. */
export function SlideFields({ name, slides: begun }: Props) {
  const { problems, mend } = use(FormProblems)
  const [slides, setSlides] = useState(() => begun.map(keyed))
  /** Changes the order, by which the problems of slides are named. */
  const reorder = (changed: typeof slides) => {
    setSlides(changed)
    for (const { field } of problems) if (field.startsWith('slides.')) mend(field)
  }
  return (
    <Card title="Slides of the home page">
      {/* their order, and one that is gone */}
      <HiddenValue name={name} value={slides.map(({ key }) => key).join()} />
      {slides.length === 0 && <p>There are no slides: the home page shows its products only.</p>}
      <ol className="space-y-4">
        {slides.map(({ key, slide }, at) => (
          <SlideForm
            key={key}
            at={at}
            slide={slide}
            isLast={at === slides.length - 1}
            onMove={(by) => reorder(slides.toSpliced(at, 1).toSpliced(at + by, 0, { key, slide }))}
            onRemove={() => reorder(slides.toSpliced(at, 1))}
          />
        ))}
      </ol>
      {slides.length < MAX_SLIDES && (
        <button
          type="button"
          className="btn btn-sm"
          onClick={() =>
            setSlides([...slides, keyed({ picture: '', title: '', text: '', link: '' })])
          }
        >
          Add a slide
        </button>
      )}
    </Card>
  )
}

type SlideFormProps = {
  at: number
  slide: Slide
  isLast: boolean
  onMove: (by: -1 | 1) => void
  onRemove: () => void
}

function SlideForm({ at, slide, isLast, onMove, onRemove }: SlideFormProps) {
  const title = `Slide ${at + 1}`
  const field = (part: keyof Slide) => ({ name: slideField(at, part), defaultValue: slide[part] })
  const button = (label: string, onClick: () => void, reason: string | null = null) => (
    <ReasonButton className="btn-sm" reason={reason} onClick={onClick}>
      {label}
      <span className="sr-only"> {title}</span>
    </ReasonButton>
  )
  return (
    <li>
      <fieldset className="grid gap-4 rounded-field border border-base-300 p-4 sm:grid-cols-2">
        <legend className="px-1 font-medium">{title}</legend>
        <PictureField
          label="Picture"
          name={slideField(at, 'picture')}
          hint="Best 1600 × 600 pixels, with its subject at the right: the text is at the left."
          picture={slide.picture}
          alt={title}
          className="aspect-[8/3] w-full rounded-field object-cover"
        />
        <div className="space-y-4">
          <Field label="Title" {...field('title')} />
          <Field label="Text" {...field('text')} />
          <Field label="Link" hint="Such as /category/mugs, or empty." {...field('link')} />
        </div>
        <div className="flex flex-wrap gap-2 sm:col-span-2">
          {button('Move up', () => onMove(-1), at === 0 ? 'It is the first slide.' : null)}
          {button('Move down', () => onMove(1), isLast ? 'It is the last slide.' : null)}
          {button('Remove', onRemove)}
        </div>
      </fieldset>
    </li>
  )
}
