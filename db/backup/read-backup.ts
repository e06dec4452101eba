import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { createZstdDecompress } from 'node:zlib'
import { FORMAT, type Header, type Mark, tally, VERSION } from './format.ts'

/** What a reader of a backup is given, in the order of the file. */
export type Reader = {
  header: (header: Header) => Promise<void> | void
  row: (table: string, row: string) => Promise<void> | void
  /** The table was read whole, and is as it was written. */
  end: (table: string, rows: number) => Promise<void> | void
}

const NEWLINE = 0x0a
/** No row of a shop is longer; a file of one endless line is no backup. */
const LONGEST_LINE = 256 * 1024 * 1024

const damaged = (what: string) => new Error(`The backup is damaged: ${what}. Nothing was changed.`)
const foreign = () => new Error('This file is no backup of a shop. Nothing was changed.')

async function* linesOf(chunks: AsyncIterable<Buffer>): AsyncGenerator<string> {
  let begun: Buffer[] = []
  let length = 0
  for await (const chunk of chunks) {
    let from = 0
    for (let to = chunk.indexOf(NEWLINE); to >= 0; to = chunk.indexOf(NEWLINE, from)) {
      yield Buffer.concat([...begun, chunk.subarray(from, to)]).toString()
      begun = []
      length = 0
      from = to + 1
    }
    begun.push(chunk.subarray(from))
    length += chunk.length - from
    if (length > LONGEST_LINE) throw foreign()
  }
  if (length > 0) throw damaged('it ends in the middle of a line')
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw damaged('a line cannot be read')
  }
}

function isHeader(value: unknown): value is Header {
  return typeof value === 'object' && value !== null && 'format' in value && value.format === FORMAT
}

function headerOf(text: string): Header {
  let header: unknown
  try {
    header = JSON.parse(text)
  } catch {
    throw foreign()
  }
  if (!isHeader(header)) throw foreign()
  if (header.version !== VERSION)
    throw new Error(
      `This backup was written by a newer shop (format ${header.version}, known is ${VERSION}). Update the shop first.`,
    )
  return header
}

/** Follows the lines after the header; answers whether the last one said that all is there. */
function follow(header: Header, reader: Reader) {
  let at: { table: string; counted: ReturnType<typeof tally> } | null = null
  const seen: string[] = []
  let isWhole = false

  async function mark(found: Partial<Mark> & object) {
    if ('table' in found && found.table && !at) at = { table: found.table, counted: tally() }
    else if ('end' in found && at?.table === found.end && at) {
      const { rows, sha256 } = at.counted.sum()
      if (rows !== found.rows || sha256 !== found.sha256)
        throw damaged(`the table ${at.table} is not as it was written`)
      seen.push(at.table)
      await reader.end(at.table, rows)
      at = null
    } else if ('whole' in found && !at) isWhole = true
    else throw damaged('its parts are out of order')
  }

  return {
    async line(text: string) {
      if (isWhole) throw damaged('something follows its end')
      if (!text.startsWith('[')) return mark(Object(parse(text)))
      if (!at) throw damaged('a row belongs to no table')
      at.counted.add(text)
      await reader.row(at.table, text)
    },
    finish() {
      const named = header.tables.map(({ name }) => name)
      if (!isWhole || named.join() !== seen.join()) throw damaged('its end is missing')
    },
  }
}

/** What Zstandard begins with; a file that does not was never a backup. */
const MAGIC = Buffer.from([0x28, 0xb5, 0x2f, 0xfd])

async function refuseForeign(file: string) {
  const opened = await open(file).catch((error) => {
    throw error.code === 'ENOENT' ? new Error('There is no such file.') : error
  })
  try {
    const { buffer } = await opened.read(Buffer.alloc(MAGIC.length), 0)
    if (!buffer.equals(MAGIC)) throw foreign()
  } finally {
    await opened.close()
  }
}

/** The decompressor knows only that it cannot go on. */
function asSentence(error: unknown): unknown {
  const isBroken = /^(ZSTD_error|Z_BUF_ERROR)/.test(String(Object(error).code))
  return isBroken ? damaged('it is cut short or was changed') : error
}

/**
 * Reads a backup from its beginning to its end. Throws a sentence when it is no backup, is newer,
 * damaged or cut short: at the latest at its end, so whoever writes meanwhile does that in a
 * transaction.
 */
export async function readBackup(file: string, reader: Reader): Promise<void> {
  await refuseForeign(file)
  let followed: ReturnType<typeof follow> | undefined
  try {
    await pipeline(createReadStream(file), createZstdDecompress(), async (chunks) => {
      for await (const text of linesOf(chunks)) {
        if (followed) await followed.line(text)
        else {
          const header = headerOf(text)
          followed = follow(header, reader)
          await reader.header(header)
        }
      }
    })
  } catch (error) {
    throw asSentence(error)
  }
  if (!followed) throw foreign()
  followed.finish()
}
