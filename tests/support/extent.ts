/** Long searches are short in `npm test`, and whole in `.ci/run` and before a release: `SEARCHES=whole`. */
export const isWhole = process.env.SEARCHES === 'whole'
