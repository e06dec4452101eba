import { readFileSync } from 'node:fs'

/** `engines` of package.json, such as `^24.22.1 || >=26.12.1`. */
const RANGE: string = JSON.parse(
  readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
).engines.node

const partsOf = (version: string) => version.split('.').map((part) => Number.parseInt(part, 10))

/** Whether a version is the floor or newer; behind `^` within the same major version. */
function isInRange(version: string, range: string): boolean {
  const floor = partsOf(range.replace(/^\D+/, ''))
  const parts = partsOf(version)
  if (range.startsWith('^') && parts[0] !== floor[0]) return false
  const at = floor.findIndex((part, index) => part !== parts[index])
  return at === -1 || (parts[at] ?? 0) > (floor[at] ?? 0)
}

/** The oldest Node of each major version that has all security fixes, as part of a sentence. */
export const NODE_FLOORS: string = (RANGE.match(/\d+\.\d+\.\d+/g) ?? []).join(', ')

/** Why a Node must not run the shop, in a sentence; null when it may. */
export function nodeProblem(version: string = process.versions.node): string | null {
  const isFixed = RANGE.split('||').some((range) => isInRange(version, range.trim()))
  if (isFixed) return null
  return `Node ${version} lacks security fixes: install Node ${NODE_FLOORS} or a newer one of these.`
}
