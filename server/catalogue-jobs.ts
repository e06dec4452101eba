import { clearMoves } from '#app/products/server/lists/counts-store.ts'
import { countWords } from '#app/products/server/search/count-words-store.ts'
import type { Database } from '#db/schema.ts'
import type { Job } from './jobs.ts'

const SOON_MS = 5000
const MINUTE_MS = 60_000

/** What the catalogue has to do without anybody asking. */
export const catalogueJobs = (db: Database): Job[] => [
  { name: 'counting words', everyMs: SOON_MS, run: () => countWords(db) },
  { name: 'clearing counted moves', everyMs: MINUTE_MS, run: () => clearMoves(db) },
]
