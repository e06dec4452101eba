import Fastify from 'fastify'
import { expect, it } from 'vitest'
import { teller, withFallback } from '#app/shared/server/limits/fallback.ts'
import { memoryTally, type Standing } from '#app/shared/server/limits/tally.ts'
import { askedTally, countFor } from './machine-tally.ts'
import { questions } from './questions.ts'

it('counts what several count, with who keeps it', async () => {
  const kept = memoryTally()
  const [one, other] = [0, 1].map(() => askedTally((counting) => countFor(kept, counting)))
  await one?.add('a', 1, 60)
  expect(await other?.add('a', 2, 9)).toMatchObject({ count: 3 })
  await one?.forget('a')
  expect(await other?.add('a', 0, 60)).toEqual({ count: 0, leftMs: 0 })
})

it('takes each answer for its own question, in any order', async () => {
  const { ask, answered } = questions<string>()
  const asked: number[] = []
  const both = [0, 1].map(() => ask((id) => asked.push(id), 1000))
  const [first = 0, second = 0] = asked
  answered(second, 'second')
  answered(first, 'first')
  answered(99, 'nobody')
  expect(await Promise.all(both)).toEqual(['first', 'second'])
})

it('counts alone when no answer comes, says so once, and fails nobody', async () => {
  const lines: string[] = []
  const stream = { write: (line: string) => void lines.push(JSON.parse(line).msg) }
  const { log } = Fastify({ logger: { level: 'info', stream } })
  const { ask } = questions<Standing>()
  const silent = askedTally(() => ask(() => {}, 20))
  const tally = withFallback(silent, memoryTally(), teller(log, 'The first process'))
  expect(await tally.add('a', 1, 60)).toMatchObject({ count: 1 })
  expect(await tally.add('a', 1, 60)).toMatchObject({ count: 2 })
  await tally.forget('a')
  expect(lines).toEqual(['The first process does not answer: limits are counted here alone'])
})
