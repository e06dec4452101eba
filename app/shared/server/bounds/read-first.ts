import { setImmediate } from 'node:timers'

/**
 * Does something after all has been read that lies there already. A process that was late sees its
 * clocks before it looks at its connections: whoever is judged by a clock is not to blame for what
 * nobody had read.
 */
export function readFirst(then: () => void): void {
  // the turn of the loop that has begun reads what lies there; the next, what was behind it
  setImmediate(() => setImmediate(then))
}
