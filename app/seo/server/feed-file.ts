import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, readdir, rename, rm, stat, utimes } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'

/** A feed is made again when it is older than this. */
const MAX_AGE_MS = 60 * 60 * 1000

/** A feed of the products that were in the shop at `madeAt`. */
export type FeedFile = { path: string; madeAt: Date; bytes: number }

type Feed = {
  /** What the feed depends on beside its products. */
  facts: string
  make: () => AsyncIterable<string>
  /** Whether a feed that was made then names what it must not. */
  isOutdated: (madeAt: Date) => Promise<boolean>
}

const PREFIX = 'product-feed'

const nameOf = (facts: string) =>
  `${PREFIX}-${createHash('sha256').update(facts).digest('hex').slice(0, 12)}.xml.gz`

async function find(path: string): Promise<FeedFile | null> {
  const found = await stat(path).catch(() => null)
  return found && { path, madeAt: found.mtime, bytes: found.size }
}

/** Deletes the feeds of other facts: of former settings, or of another address. */
async function deleteOthers(path: string) {
  const folder = dirname(path)
  const others = (await readdir(folder)).filter(
    (name) => name.startsWith(PREFIX) && name.endsWith('.gz') && name !== basename(path),
  )
  await Promise.all(others.map((name) => rm(join(folder, name), { force: true })))
}

async function write(path: string, make: Feed['make']): Promise<FeedFile> {
  const madeAt = new Date()
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  // several processes may write at once
  const temporary = `${path}.${process.pid}`
  try {
    const file = createWriteStream(temporary, { mode: 0o600 })
    await pipeline(Readable.from(make()), createGzip(), file)
    await utimes(temporary, madeAt, madeAt)
    await rename(temporary, path)
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
  await deleteOthers(path)
  const written = await find(path)
  if (!written) throw new Error(`The feed ${path} is missing.`)
  return written
}

/**
 * Feeds that are too large for memory, as gzip files in a folder. A feed is made at a request, at
 * most once in an hour, so that crawlers cost no more. It is made at once when it is outdated, or after
 * a change of the shop's facts, which are part of its name. One of an earlier start is not used, because
 * its version may write another format. Returns a function that resolves with the file.
 */
export function openFeedFiles(folder: string): (feed: Feed) => Promise<FeedFile> {
  const openedAt = Date.now()
  const making = new Map<string, Promise<FeedFile>>()

  const isFresh = ({ madeAt }: FeedFile) =>
    madeAt.getTime() >= openedAt && Date.now() - madeAt.getTime() < MAX_AGE_MS

  return async ({ facts, make, isOutdated }) => {
    const path = join(folder, nameOf(facts))
    const found = await find(path)
    if (found && isFresh(found) && !(await isOutdated(found.madeAt))) return found
    const present = making.get(path)
    if (present) return present
    const made = write(path, make).finally(() => making.delete(path))
    making.set(path, made)
    return made
  }
}
