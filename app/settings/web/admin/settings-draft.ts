import { useState } from 'react'
import type { Settings } from '#app/settings/admin-contract.ts'
import type { Slide } from '#app/settings/contract.ts'

/**
 * A slide of the form. Its key stays when the slide is moved or changed, so that a picture whose upload
 * ends later is set in the right one.
 */
export type SlideDraft = Slide & { key: string }

export const keyed = (slide: Slide): SlideDraft => ({ ...slide, key: crypto.randomUUID() })

type SettingsDraft = Omit<Settings, 'slides'> & { slides: SlideDraft[] }

const draftOf = (settings: Settings): SettingsDraft => ({
  ...settings,
  slides: settings.slides.map(keyed),
})

const settingsOf = (draft: SettingsDraft): Settings => ({
  ...draft,
  slides: draft.slides.map(({ key: _, ...slide }) => slide),
})

/** The settings that are texts. */
type TextSetting = Exclude<
  { [Name in keyof Settings]: Settings[Name] extends string ? Name : never }[keyof Settings],
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

/** A number of a text field; an empty or a wrong one is none. */
export const numberIn = (text: string) => (text.trim() === '' ? Number.NaN : Number(text))

/** Edits settings. */
export function useDraft(loaded: Settings) {
  const [draft, setDraft] = useState(() => draftOf(loaded))
  const change = (changes: Partial<Omit<SettingsDraft, 'slides'>>) =>
    setDraft((present) => ({ ...present, ...changes }))
  return {
    settings: settingsOf(draft),
    change,
    slides: draft.slides,
    /** Changes the slides as they are when it happens. */
    changeSlides: (changed: (present: SlideDraft[]) => SlideDraft[]) =>
      setDraft((present) => ({ ...present, slides: changed(present.slides) })),
    /** The props of a control of this setting; `read` makes the setting of what is typed. */
    field: (name: TextSetting, read = (text: string) => text) =>
      controlOf(name, draft[name], (text) => change({ [name]: read(text) })),
    replace: (next: Settings) => setDraft(draftOf(next)),
  }
}

/** The edited settings, and how a section of the form reads and changes them. */
export type Draft = ReturnType<typeof useDraft>
