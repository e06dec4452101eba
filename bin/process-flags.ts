/** A small process (docs/decisions/0008): half of the young generation that Node takes by itself. Flags of the caller prevail. */
export const FLAGS = ['--max-semi-space-size=8', '--max-old-space-size=512']

/** glibc's arenas, each of which keeps memory: by default it has one for each thread. */
export const ARENAS = '2'
