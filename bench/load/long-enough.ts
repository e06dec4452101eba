const MAX_SECONDS = 60

/**
 * Runs a load for `seconds`, and again for twice as long until it was enough: a slow machine needs more time to
 * answer at all. Throws when a minute is not enough.
 */
export async function runLongEnough<Result>(
  seconds: number,
  run: (seconds: number) => Promise<Result>,
  isEnough: (result: Result) => boolean,
): Promise<Result> {
  for (let length = seconds; ; length *= 2) {
    const result = await run(length)
    if (isEnough(result)) return result
    if (length >= MAX_SECONDS) throw new Error(`The load did hardly run within ${length} s.`)
  }
}
