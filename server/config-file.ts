/** The file of the process's settings (`.env`): its lines are checked before the values are. */
import { readFileSync } from 'node:fs'
import { editDistance } from '#app/shared/server/edit-distance.ts'
import { ConfigSchema } from './config-schema.ts'

export type FileProblems = {
  /** Certain errors: the shop does not start. */
  errors: string[]
  /** Names that the shop does not read, but another program may. */
  warnings: string[]
}

const KNOWN = Object.keys(ConfigSchema.properties)
/** Read by Node, its libraries or the start, not by the shop. */
const OTHERS =
  /^(NODE_|npm_|MALLOC_|PG|OTEL_|LC_)|^(TZ|LANG|PATH|HOME|UV_THREADPOOL_SIZE|(https?|no)_proxy)$/i
/** A name with so few changed letters is a typing error. */
const MAX_TYPOS = 2

/** The known name that is meant, as far as it can be known. */
function nearestTo(name: string): string | undefined {
  const [nearest] = KNOWN.map((known) => ({ known, far: editDistance(name.toUpperCase(), known) }))
    .filter(({ far, known }) => far <= Math.min(MAX_TYPOS, known.length >> 1))
    .sort((one, other) => one.far - other.far)
  return nearest?.known
}

/** The start of a setting: its name, and the quote that its value has. */
const SETTING = /^\s*(?:export\s+)?([A-Za-z_]\w*)\s*=[ \t]*(["'`]?)/

/** The problems in the text of a settings file. No value is shown: it may be a secret. */
export function problemsOf(text: string, file: string): FileProblems {
  const lines = text.split(/\r?\n/)
  const problems: FileProblems = { errors: [], warnings: [] }
  for (let index = 0; index < lines.length; index++) {
    const line = lines[index] ?? ''
    if (/^\s*(#|$)/.test(line)) continue
    const place = `Line ${index + 1} of ${file}`
    const [start = '', name, quote] = SETTING.exec(line) ?? []
    if (name === undefined) {
      problems.errors.push(`${place} is no setting: it must be NAME=value, or a comment after #.`)
      continue
    }
    const isKnown = KNOWN.includes(name) || OTHERS.test(name)
    const near = isKnown ? undefined : nearestTo(name)
    if (near) problems.errors.push(`${place} sets ${name}, which is unknown. Is it ${near}?`)
    else if (!isKnown)
      problems.warnings.push(`${place} sets ${name}, which the shop does not read.`)
    if (!quote) continue
    const [value = '', ...more] = lines.slice(index).join('\n').slice(start.length).split(quote)
    if (more.length > 0) index += value.split('\n').length - 1
    else problems.errors.push(`${place} opens a quote (${quote}) that is never closed.`)
  }
  return problems
}

/** The problems of a settings file; none of one that does not exist. */
export function configFileProblems(file: string): FileProblems {
  try {
    return problemsOf(readFileSync(file, 'utf8'), file)
  } catch (error) {
    if (Object(error).code === 'ENOENT') return { errors: [], warnings: [] }
    throw error
  }
}

/** Throws a user-readable message when a settings file is wrong; returns its warnings. */
export function requireValidConfigFile(file: string): string[] {
  const { errors, warnings } = configFileProblems(file)
  if (errors.length > 0) throw new Error(errors.join('\n'))
  return warnings
}
