import { availableParallelism } from 'node:os'
import { describe, expect, it } from 'vitest'
import { readConfig } from '../config.ts'
import { connectionsOf, poolSizeOf, workersOf } from './capacity.ts'

const server = { DATABASE_URL: 'postgres://host/shop' }
const withWorkers = (count: number) => readConfig({ ...server, WORKERS: String(count) })

describe('so many processes', () => {
  it('are one with the embedded database', () => {
    expect(workersOf(readConfig({}))).toBe(1)
  })

  it('are one for each core with PostgreSQL, unless told otherwise', () => {
    expect(workersOf(readConfig(server))).toBe(Math.min(32, availableParallelism()))
    expect(workersOf(withWorkers(3))).toBe(3)
  })

  it('find room on a server that lets a hundred in', () => {
    expect([1, 2, 8].map((count) => poolSizeOf(withWorkers(count)))).toEqual([10, 10, 10])
    for (let count = 1; count <= 32; count += 1)
      expect(connectionsOf(withWorkers(count)), `${count} processes`).toBeLessThanOrEqual(97)
    expect(poolSizeOf(withWorkers(64))).toBe(2)
  })
})
