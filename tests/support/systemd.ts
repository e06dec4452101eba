import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ONE_MACHINE } from './nginx.ts'

/**
 * The commands of a unit in deploy/one-machine, as a shell reads them: without systemd's prefixes,
 * with the instance for `%i` and `%I`, and with its spelling of `$`, `%` and `\` undone.
 */
export function commandsOf(unit: string, key: string, instance = ''): string[] {
  const text = readFileSync(join(ONE_MACHINE, unit), 'utf8')
  const values = text.matchAll(new RegExp(`^${key}=[-+@!:]*(.+)$`, 'gm'))
  return [...values].map(([, command = '']) =>
    command
      .replaceAll(/%([iI%])/g, (_all, letter) => (letter === '%' ? '%' : instance))
      .replaceAll('$$', () => '$')
      .replaceAll('\\\\', () => '\\'),
  )
}
