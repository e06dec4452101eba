/** The process of the load generator: measures a load, and answers its speed. */
import { type Load, measure } from './load.ts'
import { measurePaced } from './paced.ts'

process.on('message', async ({ rate, ...load }: Load) => {
  process.send?.(await (rate === undefined ? measure(load) : measurePaced({ ...load, rate })))
})
