import { fork } from 'node:child_process'
import { once } from 'node:events'
import { realpathSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { PHOTO_LIMITS } from '#app/shared/model/photo.ts'
import { tooLarge, tooManyUploads, unsupportedMedia } from '../failure.ts'
import { boundedSlots } from '../limits/slots.ts'
import { childEnvironment } from '../processes/child-environment.ts'
import type { ReadingTask, ReadPicture } from './read-picture.ts'
import type { PictureVariants, VariantOptions } from './resize-picture.ts'

/** Decoding a picture of 50 megapixels takes hundreds of megabytes. Those that wait are in memory. */
const slots = boundedSlots({ concurrency: 2, queue: 60, refusal: tooManyUploads })

/** The field of the form that has the file. */
const FIELD = 'photo'

const REFUSALS = {
  unsupported: () =>
    unsupportedMedia('The photo must be a JPEG, PNG, WebP, AVIF or GIF picture.', FIELD),
  damaged: () => unsupportedMedia('The photo is damaged or incomplete.', FIELD),
  'too large': () =>
    tooLarge(`The photo may have at most ${PHOTO_LIMITS.pixels / 1e6} megapixels.`, FIELD),
}

const READER = fileURLToPath(new URL('./read-picture.ts', import.meta.url))
const ROOT = fileURLToPath(new URL('../../../../', import.meta.url))

/** A picture that takes longer, in milliseconds, is malicious. */
const MAX_READING_MS = 60_000

const tooSlow = () =>
  unsupportedMedia('The photo takes too long to read. Please choose another one.', FIELD)

const CODE = ['app/shared', 'db/schema.ts', 'package.json', 'node_modules']

/** What the reader may read: its code, and neither settings nor data. */
const readablePaths = () =>
  CODE.map((path) => join(ROOT, path)).flatMap((path) => [path, realpathSync(path)])

/** Starts the reader, which has neither the settings of the shop nor access to its files. */
function startReader() {
  const { NODE_COMPILE_CACHE: cache, ...environment } = childEnvironment()
  // what it writes there, no other process executes
  const own = cache && join(cache, 'pictures')
  const readable = [...readablePaths(), ...(own ? [join(own, '*')] : [])]
  return fork(READER, {
    serialization: 'advanced',
    // the picture goes through a pipe in pieces: as a message it would be copied as a whole, while everybody waits
    stdio: ['pipe', 'inherit', 'inherit', 'ipc'],
    env: { ...environment, ...(own && { NODE_COMPILE_CACHE: own }) },
    execArgv: [
      '--disable-warning=ExperimentalWarning',
      '--disable-warning=SecurityWarning',
      '--permission',
      // sharp
      '--allow-addons',
      ...readable.map((path) => `--allow-fs-read=${path}`),
      ...(own ? [`--allow-fs-write=${join(own, '*')}`] : []),
    ],
  })
}

/**
 * Reads a picture in a process of its own. Rejects when that cannot be started, ends without an answer, or
 * takes too long, and with the reason of the signal.
 */
async function read(
  bytes: Buffer,
  options: VariantOptions | undefined,
  signal: AbortSignal | undefined,
): Promise<ReadPicture> {
  const reader = startReader()
  const ended = new AbortController()
  const given = AbortSignal.any([ended.signal, ...(signal ? [signal] : [])])
  const timer = setTimeout(() => ended.abort(tooSlow()), MAX_READING_MS)
  reader
    .on('error', (error) => ended.abort(error))
    .once('exit', (code, signal) =>
      ended.abort(new Error(`The process that reads a photo has ended: ${signal ?? code}.`)),
    )
  try {
    await once(reader, 'spawn', { signal: given })
    const task: ReadingTask = { options }
    reader.send(task)
    // an error means that the process has ended, which says why
    reader.stdin?.on('error', (error) => ended.abort(error)).end(bytes)
    const [answer] = await once(reader, 'message', { signal: given })
    return answer
  } catch (error) {
    throw given.reason ?? error
  } finally {
    clearTimeout(timer)
    reader.kill('SIGKILL')
  }
}

type Processing = {
  /** Aborted when nobody waits for the picture any more. */
  signal?: AbortSignal | undefined
  variants?: VariantOptions
}

/**
 * Processes an upload into its stored variants, two uploads at a time. Throws `unsupported_media`
 * for anything but a complete picture of an accepted type, whatever its name, and `too_large` when
 * it has too many pixels, `unavailable` when too many wait, and the reason of an aborted signal.
 */
export async function processPicture(
  bytes: Buffer,
  { signal, variants: options }: Processing = {},
): Promise<PictureVariants> {
  const answer = await slots(() => read(bytes, options, signal), signal)
  if ('picture' in answer) return answer.picture
  throw REFUSALS[answer.refused]()
}
