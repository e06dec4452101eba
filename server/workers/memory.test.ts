import { expect, it } from 'vitest'
import { readConfig } from '../config.ts'
import { availableMb, memoryProblem } from './capacity.ts'

it('says in one line that memory is short, for the embedded database and for each process', () => {
  const server = { DATABASE_URL: 'postgres://host/name' }
  expect(memoryProblem(readConfig({}), 256)).toBe(
    'The shop may use 256 MB of memory and needs 512 MB: the system may end it without a word.',
  )
  expect(memoryProblem(readConfig({}), 512)).toBeNull()
  expect(memoryProblem(readConfig({ ...server, WORKERS: '1' }), 256)).toBeNull()
  expect(memoryProblem(readConfig({ ...server, WORKERS: '4' }), 512)).toMatch(/needs 900 MB/)
  expect(availableMb()).toBeGreaterThan(100)
})
