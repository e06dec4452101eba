/** The first `length` characters, followed by dots when the text was truncated (spec §2). */
export function truncate(text: string, length: number): string {
  const characters = [...text]
  return characters.length <= length ? text : `${characters.slice(0, length).join('')}...`
}
