import { readFile, writeFile } from 'node:fs/promises'

const REPORT = new URL('../../docs/benchmarks.md', import.meta.url)

export const TITLE = '## The first visit'

/** The report before the section, and the section: it is the last. */
async function split() {
  const report = await readFile(REPORT, 'utf8')
  const start = report.indexOf(`\n${TITLE}\n`)
  return start < 0 ? [report, ''] : [report.slice(0, start), report.slice(start)]
}

/** The section as it stands, for who writes all the rest anew. */
export const readSection = async () => (await split())[1] ?? ''

/** Puts the section in the place of what stood there. */
export async function writeSection(text: string) {
  const [before = ''] = await split()
  await writeFile(REPORT, `${before.trimEnd()}\n\n${text}`)
}
