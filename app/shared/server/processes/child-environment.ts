import { getCompileCacheDir } from 'node:module'
import { dirname } from 'node:path'

/**
 * The environment of a process that works for the shop. It has none of the shop's settings, which contain
 * secrets: a process that reads what a stranger sent can reveal its environment.
 */
export function childEnvironment(): Record<string, string> {
  const cache = getCompileCacheDir()
  return { MALLOC_ARENA_MAX: '2', ...(cache && { NODE_COMPILE_CACHE: dirname(cache) }) }
}
