import { setImmediate as later } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { budgetOf } from './budget.ts'

const DOOR = { waiting: 5, seconds: 60 }

it('lets in what fits, and the others in their turn', async () => {
  const reserve = budgetOf(10, DOOR)
  const entered: string[] = []
  const enter = async (name: string, amount: number) => {
    const giveBack = await reserve(amount)
    entered.push(name)
    return giveBack
  }
  const first = enter('first', 6)
  const large = enter('large', 8)
  const small = enter('small', 1)
  await later()
  expect(entered).toEqual(['first'])
  const leave = await first
  leave()
  await large
  await small
  expect(entered).toEqual(['first', 'large', 'small'])
  leave()
  const next = enter('next', 2)
  await later()
  expect(entered).not.toContain('next')
  ;(await small)()
  await next
})

it('lets in alone who wants more than there is', async () => {
  const reserve = budgetOf(10, DOOR)
  const leave = await reserve(1000)
  let entered = false
  const next = reserve(1).then(() => {
    entered = true
  })
  await later()
  expect(entered).toBe(false)
  leave()
  await next
})

it('lets so many wait, and refuses the next', async () => {
  const reserve = budgetOf(10, { waiting: 2, seconds: 60 })
  const leave = await reserve(10)
  const inTurn = [reserve(5), reserve(5)]
  await expect(reserve(1)).rejects.toMatchObject({
    code: 'unavailable',
    headers: { 'Retry-After': '60' },
  })
  leave()
  expect(await Promise.all(inTurn)).toHaveLength(2)
})
