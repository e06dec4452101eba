import { expect, it } from 'vitest'
import { hearPanic } from './panic.ts'

const failing = (severity: string) => Object.assign(new Error('No space left'), { severity })

it('says once that the embedded database has ended itself, and asks it nothing more', async () => {
  const answers: unknown[] = [failing('ERROR'), failing('PANIC')]
  let asked = 0
  const pglite = {
    async execProtocolStream() {
      asked += 1
      const error = answers.shift()
      if (error) throw error
      return []
    },
  }
  const heard: string[] = []
  const { isGone } = hearPanic(pglite, ({ message }) => heard.push(message))
  const ask = () => pglite.execProtocolStream()
  await expect(ask()).rejects.toMatchObject({ severity: 'ERROR' })
  expect([isGone(), heard]).toEqual([false, []])
  const gone = { code: '57P02', message: 'The embedded database has ended itself: No space left' }
  await expect(ask()).rejects.toMatchObject(gone)
  await expect(ask()).rejects.toMatchObject(gone)
  expect([isGone(), heard, asked]).toEqual([true, [gone.message], 2])
})
