import { useState } from 'react'
import type { Settings } from '#app/settings/admin-contract.ts'
import { type Problem, problemsOf } from '#app/settings/checks-contract.ts'
import { CallFailure } from '#app/shared/web/call.ts'
import { draftsOf, type SlideDraft, type SlidesChange, slidesOf } from './slides-draft.ts'

/** The edited settings, and how a section of the form reads and changes them. */
export type Draft = {
  settings: Settings
  /** The sentence about a field; undefined when it has no problem, or was not checked yet. */
  problemOf: (field: string) => string | undefined
  change: (changes: Partial<Omit<Settings, 'slides'>>) => void
  slides: SlideDraft[]
  changeSlides: (change: SlidesChange) => void
}

const messageIn = (problems: Problem[], field: string) =>
  problems.find((problem) => problem.field === field)?.message

/** The fields that the server has refused. */
export const refusedIn = (error: unknown, settings: Settings): Problem[] =>
  error instanceof CallFailure
    ? error.fields.filter(({ field }) => Object.hasOwn(settings, field.split('.')[0] ?? ''))
    : []

/** Edits settings. Problems appear when the settings are checked, and then follow each change. */
export function useDraft(loaded: Settings) {
  const [others, setOthers] = useState(loaded)
  const [slides, setSlides] = useState(() => draftsOf(loaded.slides))
  const settings = { ...others, slides: slidesOf(slides) }
  const [isChecked, setChecked] = useState(false)
  const [refused, setRefused] = useState<Problem[]>([])
  const problems = [...(isChecked ? problemsOf(settings) : []), ...refused]
  const draft: Draft = {
    settings,
    // a colour is checked while it is chosen: the preview shows no colour that is refused
    problemOf: (field) =>
      messageIn(field === 'accent' ? [...problemsOf(settings), ...problems] : problems, field),
    change(changes) {
      setRefused([])
      setOthers((present) => ({ ...present, ...changes }))
    },
    slides,
    changeSlides(change) {
      setRefused([])
      setSlides(change)
    },
  }
  return {
    draft,
    replace(next: Settings) {
      setOthers(next)
      setSlides(draftsOf(next.slides))
      setChecked(false)
      setRefused([])
    },
    /** Shows what the server has refused at its field, until the next change. */
    refuse: setRefused,
    /** Shows every problem; true when there is none. */
    check() {
      setChecked(true)
      return problemsOf(settings).length === 0
    },
  }
}
