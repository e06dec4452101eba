/** Tests that the search for secrets in logs can find one. */
import { createHash, createHmac, randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { hashPassword } from '#app/accounts/server/passwords.ts'
import { addPerson } from '../support/accounts.ts'
import { refuseSecrets, searchedLog, secretsIn } from '../support/secrets.ts'
import { testShop } from '../support/shop.ts'

const line = (facts: object) => JSON.stringify({ level: 20, time: 1, ...facts, msg: 'request' })
const token = () => randomBytes(32).toString('base64url')

describe('the search of a log', () => {
  it('sees every kind of secret', async () => {
    const password = await hashPassword('something else')
    const digest = createHash('sha256').update(token()).digest('hex')
    const secrets = {
      'the hash of a password': { row: [password] },
      'a token': { path: `/auth/${token()}` },
      'a token after a word': { headers: `Bearer ${token()}` },
      'the hash of a token': { key: `\\x${digest}` },
      'a signature': { sent: createHmac('sha256', 'x').update('y').digest('hex') },
      'a column of hashes': { sql: 'insert into users (answer_hash) values ($1)' },
      'a header that was not cut out': { headers: { authorization: 'short' } },
      'a field that was not cut out': { body: { newPassword: 'p' } },
      'a password of the tests': { note: 'tried correct-horse' },
      'a secret of the settings': { note: 'test-secret' },
    }
    for (const [what, facts] of Object.entries(secrets)) {
      expect(secretsIn(line(facts)), what).not.toEqual([])
      expect(() => refuseSecrets(`${line({})}\n${line(facts)}\n`), what).toThrow('shows secrets')
    }
  })

  it('lets the rest pass', () => {
    const req = { method: 'GET', path: `/product/${'a-long-name-'.repeat(9)}`, from: '127.0.0.1' }
    const ids = { requestId: 'a1b2c3d4e5f60718', order: crypto.randomUUID() }
    const cut = { headers: { authorization: '[secret]' }, body: { password: '[secret]' } }
    expect(secretsIn(line({ req, ...ids, ...cut }))).toEqual([])
  })
})

describe('the log of a shop under test', () => {
  const shop = testShop()

  it('is kept at its most talkative, and fails the shop that tells a secret', async () => {
    const log = searchedLog()
    expect(log.logger.level).toBe('debug')
    log.logger.stream.write(line({ req: { path: '/healthz' } }))
    expect(log.refuse).not.toThrow()
    const { token } = await addPerson(shop.db)
    log.logger.stream.write(line({ req: { path: `/${token}` } }))
    expect(log.refuse).toThrow("a session's token")
    expect(shop.app.log.level).toBe('debug')
  })
})
