import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, readdir, rename, rm, stat, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'

/** A feed is made again when it is older than this. */
const MAX_AGE_MS = 60 * 60 * 1000

/** A feed that was begun at `madeAt`. */
export type FeedFile = { path: string; madeAt: Date; bytes: number }

type Feed = {
  /** What the feed depends on beside its products. */
  facts: string
  make: () => AsyncIterable<string>
  /** The number of products that have left the shop, for a feed that was begun then: while it is the same, none leaves. */
  countLeft: (madeAt: Date) => Promise<number>
}

/** A feed with the number of products that had left the shop before it was begun. */
type CountedFile = FeedFile & { left: number }

const PREFIX = 'product-feed'
const ENDING = /-(\d+)\.xml\.gz$/

const nameOf = (facts: string) =>
  `${PREFIX}-${createHash('sha256').update(facts).digest('hex').slice(0, 12)}`

const selectFiles = async (folder: string, beginning: string) =>
  (await readdir(folder)).filter((file) => file.startsWith(beginning) && file.endsWith('.gz'))

/** The newest feed of a name; its file has the number in its name, too. */
async function find(folder: string, name: string): Promise<CountedFile | undefined> {
  const files = await selectFiles(folder, `${name}-`)
  const found = await Promise.all(
    files.map(async (file) => {
      const path = join(folder, file)
      // another process may delete it
      const facts = await stat(path).catch(() => null)
      const left = Number(ENDING.exec(file)?.[1])
      return facts ? [{ path, madeAt: facts.mtime, bytes: facts.size, left }] : []
    }),
  )
  return found.flat().sort((a, b) => b.madeAt.getTime() - a.madeAt.getTime())[0]
}

/** Deletes older feeds, and those of other facts: of former settings, or of another address. */
async function deleteOthers(folder: string, file: string) {
  const others = (await selectFiles(folder, PREFIX)).filter((name) => name !== file)
  await Promise.all(others.map((name) => rm(join(folder, name), { force: true })))
}

async function write(folder: string, name: string, { make, countLeft }: Feed): Promise<FeedFile> {
  const madeAt = new Date()
  // counted first: the feed may name a product that leaves while it is made
  const file = `${name}-${await countLeft(madeAt)}.xml.gz`
  const path = join(folder, file)
  // several processes may write at once
  const temporary = `${path}.${process.pid}`
  try {
    await pipeline(
      Readable.from(make()),
      createGzip(),
      createWriteStream(temporary, { mode: 0o600 }),
    )
    await utimes(temporary, madeAt, madeAt)
    await rename(temporary, path)
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
  await deleteOthers(folder, file)
  const written = await find(folder, name)
  if (!written) throw new Error(`The feed ${path} is missing.`)
  return written
}

/**
 * Feeds that are too large for memory, as gzip files in a folder. A feed is made at a request, at
 * most once in an hour, so that crawlers cost no more. It is made at once when a product has left the shop, or
 * after a change of the shop's facts, which are part of its name. One of an earlier start is not used, because
 * its version may write another format. Returns a function that resolves with the file.
 */
export function openFeedFiles(folder: string): (feed: Feed) => Promise<FeedFile> {
  const openedAt = Date.now()
  const making = new Map<string, Promise<FeedFile>>()

  const isFresh = ({ madeAt }: FeedFile) =>
    madeAt.getTime() >= openedAt && Date.now() - madeAt.getTime() < MAX_AGE_MS

  return async (feed) => {
    const name = nameOf(feed.facts)
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const found = await find(folder, name)
    if (found && isFresh(found) && (await feed.countLeft(found.madeAt)) === found.left) return found
    const present = making.get(name)
    if (present) return present
    const made = write(folder, name, feed).finally(() => making.delete(name))
    making.set(name, made)
    return made
  }
}
