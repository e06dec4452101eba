import { createReadStream } from 'node:fs'
import { pipeline, Readable } from 'node:stream'
import { CsvError, parse } from 'csv-parse'
import { unescapeFormula } from '#app/shared/model/formula.ts'
import { invalid } from '../failure.ts'

/** A record of a CSV file: its cells, the number of its first line, from 1, and the delimiter of the file. */
export type CsvRecord = { line: number; cells: string[]; delimiter: string }

/** The longest record in bytes: an unclosed quotation mark would swallow the whole file. */
const MAX_ROW_BYTES = 256 * 1024

const NEWLINE = /\r\n|\r|\n/g

async function* textOf(path: string, fatal: boolean) {
  const decoder = new TextDecoder('utf-8', { fatal })
  try {
    for await (const chunk of createReadStream(path)) yield decoder.decode(chunk, { stream: true })
    yield decoder.decode()
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    throw invalid('The file is not UTF-8 text. Save it as "CSV UTF-8" and try again.')
  }
}

/** The delimiter: spreadsheets write semicolons in some locales. */
const delimiterOf = (start: string) => /[,;\t]/.exec(start.split(NEWLINE, 1)[0] ?? '')?.[0] ?? ','

/** The line by which a file names its delimiter to Excel, such as `sep=;`. */
const SEPARATOR_LINE = /^"?sep=([,;\t])"?[,;\t]*(?:\r\n|\r|\n)/i

const parserFor = (delimiter: string) =>
  parse({
    delimiter,
    record_delimiter: ['\r\n', '\n', '\r'],
    info: true,
    max_record_size: MAX_ROW_BYTES,
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
  })

type Parsed = { record: string[]; info: { empty_lines: number } }

/**
 * Reads the records of a CSV file, the header first. Empty records and a line `sep=;` are skipped, and escaped
 * formulas unescaped. Throws `invalid` when a quotation mark is not closed, and, unless `anyEncoding`, when the
 * file is not UTF-8.
 */
export async function* readCsv(
  path: string,
  { anyEncoding = false } = {},
): AsyncGenerator<CsvRecord> {
  const chunks = textOf(path, !anyEncoding)
  const first = (await chunks.next()).value ?? ''
  const [separatorLine = '', named] = SEPARATOR_LINE.exec(first) ?? []
  const start = first.slice(separatorLine.length)
  async function* whole() {
    yield start
    yield* chunks
  }
  const delimiter = named ?? delimiterOf(start)
  const parser = parserFor(delimiter)
  pipeline(Readable.from(whole()), parser, () => {})
  let line = separatorLine === '' ? 1 : 2
  let blank = 0
  try {
    for await (const { record, info } of parser as AsyncIterable<Parsed>) {
      line += info.empty_lines - blank
      blank = info.empty_lines
      if (record.some((cell) => cell.trim() !== ''))
        yield { line, cells: record.map(unescapeFormula), delimiter }
      // a cell may contain line breaks
      line += 1 + record.reduce((sum, cell) => sum + (cell.match(NEWLINE)?.length ?? 0), 0)
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    throw invalid(
      `The row that starts in line ${line} cannot be read: a quotation mark is missing.`,
    )
  }
}
