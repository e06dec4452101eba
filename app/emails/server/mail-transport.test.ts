import { expect, it } from 'vitest'
import { smtpOptions } from './mail-transport.ts'
import { MAX_ATTEMPT_MS } from './send-job.ts'

const TEN_MINUTES = 10 * 60 * 1000

it('waits as long as RFC 5321 asks for the end of a message, which would be sent twice otherwise', () => {
  const { socketTimeout } = smtpOptions('smtps://user:password@smtp.example.com')
  expect(socketTimeout).toBeGreaterThanOrEqual(TEN_MINUTES)
  expect(MAX_ATTEMPT_MS).toBeGreaterThan(TEN_MINUTES)
})
