import { useState } from 'react'
import type { Settings } from '#app/settings/admin-contract.ts'
import type { Slide } from '#app/settings/contract.ts'
import { problemsOf } from '#app/settings/model.ts'
import type { FieldProblem } from '#app/shared/contract/failure.ts'
import { CallFailure } from '#app/shared/web/call.ts'

/**
 * A slide of the form. Its key stays when the slide is moved or changed, so that a picture whose upload
 * ends later is set in the right one.
 */
type SlideDraft = { key: string; slide: Slide }

const keyed = (slide: Slide): SlideDraft => ({ key: crypto.randomUUID(), slide })

/** A change of the slides as they are when it happens. */
type SlidesChange = (present: SlideDraft[]) => SlideDraft[]

export const addSlide: SlidesChange = (present) => [
  ...present,
  keyed({ picture: '', title: '', text: '', link: '' }),
]

/** Changes one slide; nothing happens when it was removed meanwhile. */
export const changeSlide =
  (key: string, changes: Partial<Slide>): SlidesChange =>
  (present) =>
    present.map((one) => (one.key === key ? { key, slide: { ...one.slide, ...changes } } : one))

export const moveSlide =
  (key: string, by: -1 | 1): SlidesChange =>
  (present) => {
    const at = present.findIndex((one) => one.key === key)
    const moved = present[at]
    return moved ? present.toSpliced(at, 1).toSpliced(at + by, 0, moved) : present
  }

export const removeSlide =
  (key: string): SlidesChange =>
  (present) =>
    present.filter((one) => one.key !== key)

/** The settings that are any text. */
type TextSetting = Exclude<
  { [Name in keyof Settings]: string extends Settings[Name] ? Name : never }[keyof Settings],
  'logo'
>

type Changed = { target: { value: string } }

/** The props of a text control by the name that its problems have. */
export const controlOf = (name: string, value: string, change: (text: string) => void) => ({
  name,
  value,
  autoComplete: 'off',
  onChange: ({ target }: Changed) => change(target.value),
})

/** The fields that the server has refused. */
export const refusedIn = (error: unknown, settings: Settings): FieldProblem[] =>
  error instanceof CallFailure
    ? error.fields.filter(({ field }) => Object.hasOwn(settings, field.split('.')[0] ?? ''))
    : []

/** Edits settings. Problems appear when the settings are checked, and then follow each change. */
export function useDraft(loaded: Settings) {
  const [others, setOthers] = useState(loaded)
  const [slides, setSlides] = useState(() => loaded.slides.map(keyed))
  const settings = { ...others, slides: slides.map(({ slide }) => slide) }
  const [isChecked, setChecked] = useState(false)
  const [refused, setRefused] = useState<FieldProblem[]>([])
  const found = problemsOf(settings)
  // a colour is checked while it is chosen: the preview shows no colour that is refused
  const shown = isChecked ? found : found.filter(({ field }) => field === 'accent')
  const problems = [...shown, ...refused]
  const change = (changes: Partial<Omit<Settings, 'slides'>>) => {
    setRefused([])
    setOthers((present) => ({ ...present, ...changes }))
  }
  return {
    settings,
    /** The problems that are shown. */
    problems,
    problemOf: (name: string) => problems.find(({ field }) => field === name)?.message,
    change,
    slides,
    changeSlides(changed: SlidesChange) {
      setRefused([])
      setSlides(changed)
    },
    /** The props of a control of this setting; `read` makes the setting of what is typed. */
    field: (name: TextSetting, read = (text: string) => text) =>
      controlOf(name, settings[name], (text) => change({ [name]: read(text) })),
    replace(next: Settings) {
      setOthers(next)
      setSlides(next.slides.map(keyed))
      setChecked(false)
      setRefused([])
    },
    /** Shows what the server has refused at its field, until the next change. */
    refuse: setRefused,
    /** Shows every problem; true when there is none. */
    check() {
      setChecked(true)
      return found.length === 0
    },
  }
}

/** The edited settings, and how a section of the form reads and changes them. */
export type Draft = ReturnType<typeof useDraft>
