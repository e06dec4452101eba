import { Children, isValidElement, type ReactNode } from 'react'
import type { Settings } from '#app/settings/admin-contract.ts'
import type { Slide } from '#app/settings/contract.ts'
import { type Fields, fieldsOf } from '#app/shared/web/form/use-submit.ts'

type FieldProps = { name?: string; label?: string; children?: ReactNode }

/** The fields in a part of a page: its elements with a name and a label. */
export const fieldsIn = (part: ReactNode): { name: string; label: string }[] =>
  Children.toArray(part).flatMap((element) => {
    if (!isValidElement<FieldProps>(element)) return []
    const { name, label, children } = element.props
    return [...(name && label ? [{ name, label }] : []), ...fieldsIn(children)]
  })

/** The name of a field of a slide. */
export const slideField = (at: number, part: keyof Slide) => `slides.${at}.${part}`

/** A slide of a form. */
const slideIn = (text: Fields, at: number): Slide => ({
  picture: text(slideField(at, 'picture')),
  title: text(slideField(at, 'title')),
  text: text(slideField(at, 'text')),
  link: text(slideField(at, 'link')).trim(),
})

/** The value of a setting in a form, of the type of the present one. */
function valueIn(form: FormData, name: string, present: unknown): unknown {
  const fields = fieldsOf(form)
  const text = fields(name).trim()
  // its field has an entry for each
  if (name === 'slides') return (text.match(/[^,]+/g) ?? []).map((_, at) => slideIn(fields, at))
  if (name === 'logo') return text || null
  if (name === 'priceBands') return text.split(',').map(Number)
  if (name.endsWith('.maxTotal')) return text === '' ? null : Number(text)
  if (Array.isArray(present)) return form.getAll(name).filter((one) => one !== '')
  if (typeof present === 'boolean') return form.has(name)
  return typeof present === 'number' ? Number(text) : text
}

/** The settings as a form changes them. A setting whose field is not in it stays, but for a checkbox. */
export function settingsIn(form: FormData, part: ReactNode, present: Settings): Settings {
  const settings = structuredClone(present)
  for (const { name } of fieldsIn(part)) {
    const path = name.split('.')
    const last = path.pop() ?? ''
    const parent = path.reduce<object>((parent, key) => Reflect.get(parent, key), settings)
    const value: unknown = Reflect.get(parent, last)
    if (form.has(name) || typeof value === 'boolean')
      Reflect.set(parent, last, valueIn(form, name, value))
  }
  return settings
}
