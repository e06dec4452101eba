import type { Slide } from '#app/settings/contract.ts'

/**
 * A slide of the form. Its key stays when the slide is moved or changed, so that a picture whose upload
 * ends later is set in the right one.
 */
export type SlideDraft = { key: string; slide: Slide }

const keyed = (slide: Slide): SlideDraft => ({ key: crypto.randomUUID(), slide })

export const draftsOf = (slides: Slide[]): SlideDraft[] => slides.map(keyed)

export const slidesOf = (drafts: SlideDraft[]): Slide[] => drafts.map(({ slide }) => slide)

/** A change of the slides as they are when it happens. */
export type SlidesChange = (present: SlideDraft[]) => SlideDraft[]

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
