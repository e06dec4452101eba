import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'

export type MigrationFile = {
  name: string
  text: string
  sha256: string
  /** The hash that it had when it was released; undefined before. */
  released: string | undefined
  /** The oldest version that may open the database after it, if it raises it: it stops the shop. */
  oldestVersion: string | undefined
}

/** Sets the fact of this name in the database, where each version looks for it. */
const RAISES_OLDEST = /'oldest_version', '([\d.]+)'/

const COMMENTS = /^\s*--.*$/gm

/** Throws where a migration raises the oldest version in another form than CONTRIBUTING.md says. */
function findOldestVersion(name: string, text: string): string | undefined {
  const statements = text.replaceAll(COMMENTS, '')
  const [, version] = RAISES_OLDEST.exec(statements) ?? []
  if (version === undefined && statements.includes('oldest_version'))
    throw new Error(`${name} has to set oldest_version as CONTRIBUTING.md, section Database, says.`)
  return version
}

const LINE = /^(?<sha256>[0-9a-f]{64}) {2}(?<name>\w+)\.sql$/gm

/** The hashes of released migrations by name, in the format of `sha256sum`. */
async function readReleased(folder: URL): Promise<Map<string, string>> {
  const text = await readFile(new URL('released.sha256', folder), 'utf8')
  return new Map([...text.matchAll(LINE)].map(([, sha256 = '', name = '']) => [name, sha256]))
}

/** The migrations of this version, in the order in which they run. */
export async function readMigrations(folder: URL): Promise<MigrationFile[]> {
  const released = await readReleased(folder)
  const files = (await readdir(folder)).filter((file) => file.endsWith('.sql')).sort()
  return Promise.all(
    files.map(async (file) => {
      const name = file.slice(0, -'.sql'.length)
      const text = await readFile(new URL(file, folder), 'utf8')
      const sha256 = createHash('sha256').update(text).digest('hex')
      const oldestVersion = findOldestVersion(name, text)
      return { name, text, sha256, released: released.get(name), oldestVersion }
    }),
  )
}
