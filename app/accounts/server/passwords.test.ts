import { expect, it } from 'vitest'
import { hashPassword, isPassword } from './passwords.ts'

const refusedOf = async (outcomes: Promise<PromiseSettledResult<unknown>[]>) =>
  (await outcomes).filter(({ status }) => status === 'rejected').length

/** A hundred addresses of one /48. */
const flood = (work: (address: string) => Promise<unknown>) =>
  Promise.allSettled(Array.from({ length: 100 }, (_, n) => work(`2001:db8:77:${n}::1`)))

it('log-ins of one /48 leave room for those of others', async () => {
  const outcomes = flood((address) => isPassword(undefined, 'a guess', address))
  expect(await isPassword(undefined, 'a guess', '198.51.100.1')).toBe(false)
  expect(await refusedOf(outcomes)).toBe(36)
})

it('registrations of one /48 leave room for those of others, and do not wait for all of them', async () => {
  let ended = 0
  const outcomes = flood(async (address) => {
    await hashPassword('secret', address)
    ended += 1
  })
  expect(await hashPassword('secret', '198.51.100.1')).toContain('$argon2')
  expect(ended).toBeLessThan(10)
  expect(await refusedOf(outcomes)).toBe(36)
})
