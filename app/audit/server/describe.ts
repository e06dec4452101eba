/** Values of the audit log in words. */

type Columns = Record<string, unknown> | null
type Described = { before: unknown; after: unknown }

/** The columns that hold the id or version of a picture. */
const PICTURES = ['photo_version', 'logo']

/** A picture has no words: only that there is one, another one, or none any more. */
function describePicture({ before, after }: Described): Described {
  if (before && after) return { before: null, after: 'changed' }
  if (after) return { before: null, after: 'added' }
  return { before: null, after: before ? 'removed' : null }
}

type Slide = { picture?: string; title?: string; text?: string; link?: string }

const slidesIn = (value: unknown): Slide[] => (Array.isArray(value) ? value : [])

const describeSlide = ({ title, text, link }: Slide, at: number) =>
  `slide ${at + 1} “${title}”${[text, link]
    .filter(Boolean)
    .map((one) => `, ${one}`)
    .join('')}`

/** The slides that differ from those at the same place in the other list. */
function describeSlides(value: unknown, other: unknown, isAfter: boolean): string | null {
  const others = slidesIn(other)
  const described = slidesIn(value).flatMap((slide, at) => {
    const former = others[at]
    if (JSON.stringify(slide) === JSON.stringify(former)) return []
    const isOther = isAfter && former !== undefined && former.picture !== slide.picture
    return [describeSlide(slide, at) + (isOther ? ', another picture' : '')]
  })
  return described.length === 0 ? null : described.join('; ')
}

/** The names of a list of ids; an id without a name was deleted since. */
function describeIds(value: unknown, names: Map<string, string>): string | null {
  if (!Array.isArray(value) || value.length === 0) return null
  return value.map((id) => names.get(String(id)) ?? 'one that is deleted').join(', ')
}

/** A column's values before and after, in words where they are ids, versions or slides. */
export function describe(
  column: string,
  { before, after }: { before: Columns; after: Columns },
  names: Map<string, string>,
): Described {
  const values = { before: before?.[column], after: after?.[column] }
  if (PICTURES.includes(column)) return describePicture(values)
  if (column === 'slides')
    return {
      before: describeSlides(values.before, values.after, false),
      after: describeSlides(values.after, values.before, true),
    }
  if (column === 'product_ids' || column === 'category_ids')
    return { before: describeIds(values.before, names), after: describeIds(values.after, names) }
  return values
}
