import { countWords } from '#app/products/server/search/count-words-store.ts'
import type { Database } from '#db/schema.ts'
import type { Job } from './jobs.ts'

const SOON_MS = 5000

/** What search has to do without anybody asking. */
export const searchJobs = (db: Database): Job[] => [
  { name: 'counting words', everyMs: SOON_MS, run: () => countWords(db) },
]
