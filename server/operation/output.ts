/** The levels of the log, as numbers. */
const LEVELS = { info: 30, warn: 40, error: 50, fatal: 60 }

export type WriteLine = (level: keyof typeof LEVELS, msg: string) => void

/**
 * Writes a line of the log that belongs to no request, such as those of the start: as JSON like all
 * others, on a terminal as plain text. `info` goes to the standard output, the others to the
 * standard error.
 */
export const writeLine: WriteLine = (level, msg) => {
  const out = level === 'info' ? process.stdout : process.stderr
  const line = { level: LEVELS[level], time: Date.now(), pid: process.pid, msg }
  out.write(`${out.isTTY ? msg : JSON.stringify(line)}\n`)
}
