import { writeFileSync } from 'node:fs'
import { environmentExample } from '../server/config.ts'

writeFileSync(new URL('../.env.example', import.meta.url), environmentExample())
