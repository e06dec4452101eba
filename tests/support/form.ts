/** A form like a browser's; undefined fields are omitted. */
export function formOf(fields: Record<string, string | number | Blob | undefined>): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) {
    if (value instanceof Blob) form.append(name, value)
    else if (value !== undefined) form.append(name, String(value))
  }
  return form
}

/** A file for a form. */
export const fileOf = (bytes: Buffer | string, name = 'photo.jpg', type = 'image/jpeg') =>
  new File([typeof bytes === 'string' ? bytes : new Uint8Array(bytes)], name, { type })
