import { createServer } from 'node:net'
import { afterAll, expect, it } from 'vitest'
import { readConfig } from '#server/config.ts'
import { mailSettings, openSmtp } from '#tests/support/smtp.ts'
import { examineEmail } from './doctor.ts'

const smtp = await openSmtp()
afterAll(smtp.close)

const examine = (settings: Record<string, string>, signOfRealShop: string | null = null) =>
  examineEmail(readConfig(settings), { isDemo: false, signOfRealShop })

it('finds an SMTP server that can be used, and sends nothing', async () => {
  expect(await examine(mailSettings(smtp))).toMatchObject([{ about: 'E-mail', state: 'ok' }])
  expect(smtp.received).toEqual([])
})

it('says why a server cannot be used, without the password', async () => {
  const closed = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => closed.once('listening', resolve))
  const { port } = Object(closed.address())
  await new Promise((resolve) => closed.close(resolve))
  const url = `smtp://user:a-long-password@127.0.0.1:${port}`
  const [finding] = await examine(mailSettings({ url }))
  expect(finding).toMatchObject({
    state: 'problem',
    found: expect.stringContaining('nothing answers at this port'),
  })
  expect(JSON.stringify(finding)).not.toContain('a-long-password')
})

it('warns of a shop without one, and finds it wrong where customers reach the shop', async () => {
  expect(await examine({})).toMatchObject([{ state: 'warning', about: 'E-mail' }])
  expect(await examine({}, 'SHOP_URL is set')).toMatchObject([
    { state: 'problem', found: expect.stringMatching(/SHOP_URL is set$/) },
  ])
})
