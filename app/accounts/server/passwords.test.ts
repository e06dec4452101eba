import { expect, it } from 'vitest'
import { isPassword } from './passwords.ts'

it('log-ins of one /48 leave room for those of others', async () => {
  const flood = Array.from({ length: 100 }, (_, n) =>
    isPassword(undefined, 'a guess', `2001:db8:77:${n}::1`),
  )
  const outcomes = Promise.allSettled(flood)
  expect(await isPassword(undefined, 'a guess', '198.51.100.1')).toBe(false)
  const refused = (await outcomes).filter(({ status }) => status === 'rejected')
  expect(refused).toHaveLength(36)
})
