/** The spellings of an e-mail address in a registration, and the mailboxes that mail goes to. */

import { beforeEach, describe, expect, it } from 'vitest'
import { openMailShop } from '#tests/support/mail-shop.ts'
import { sendEmails } from '#tests/support/smtp.ts'

const { smtp, shop } = await openMailShop()
beforeEach(() => {
  smtp.received.length = 0
})

const PASSWORD = 'a long secret'
const register = (email: string) =>
  shop.post('/auth/register', {
    body: {
      name: 'Asha',
      phone: '5',
      address: '1 Lane',
      answer: 'Chess',
      password: PASSWORD,
      email,
    },
  })

describe('an address that a mail server would read as another one', () => {
  it.each([
    '<me@x.test>',
    'me@x.test>',
    '<<me@x.test',
    'Me <me@x.test>',
    'me@x.test,',
    'me@x.test,you@x.test',
    'me@x.test;',
    'friends:me@x.test;',
    '"me"@x.test',
    'me"@x.test',
    '(me)me@x.test',
    'me\\@x.test',
    'me@you@x.test',
    'me.@x.test',
    '.me@x.test',
    'm..e@x.test',
    'me@x',
    'me@x.test.',
    'me@.test',
    'me@[127.0.0.1]',
    'me@127.0.0.1',
    'me@[IPv6:::1]',
    'me@x.test:25',
    '@x.test:me@x.test',
    'me\u0001@x.test',
    'me\u007f@x.test',
    'me@x\u200d.test',
    'me@x\u3002test',
    'ｍｅ@x.test',
    'me@ｘ.test',
  ])('is refused: %j', async (email) => {
    const { status } = await register(email)
    expect(status).toBe(400)
    await sendEmails(shop)
    expect(smtp.received).toEqual([])
  })
})

/** The fake server answers with domains in Unicode. */
describe('each accepted spelling', () => {
  it.each([
    ['plain@example.com', 'plain@example.com'],
    [' Blanks@Example.com ', 'Blanks@example.com'],
    ['\ufeffunseen\u200b@exam\u00adple.com\u200b', 'unseen@example.com'],
    ['first.last+tag@sub.example.co.uk', 'first.last+tag@sub.example.co.uk'],
    ["o'brien_{x}|~!#$%&*-/=?^`@example.com", "o'brien_{x}|~!#$%&*-/=?^`@example.com"],
    ['=?utf-8?q?me?=@example.com', '=?utf-8?q?me?=@example.com'],
    ['idn@jõgeva.test', 'idn@jõgeva.test'],
    ['ascii@xn--mller-kva.test', 'ascii@müller.test'],
    ['आशा@डाटामेल.भारत', 'आशा@डाटामेल.भारत'],
  ])('is delivered to its own mailbox, and to no other: %j', async (email, mailbox) => {
    expect((await register(email)).status).toBe(201)
    await sendEmails(shop)
    expect(smtp.received.map(({ to }) => to)).toEqual([mailbox])
    const login = await shop.post('/auth/login', { body: { email, password: PASSWORD } })
    expect(login.status).toBe(200)
  })

  it('of a domain in Unicode and in ASCII is one account', async () => {
    expect((await register('one@köln.test')).status).toBe(201)
    expect((await register('One@xn--kln-sna.test')).status).toBe(409)
    expect((await register('two@xn--kln-sna.test')).status).toBe(201)
    expect((await register('two@köln.test')).status).toBe(409)
  })
})

it('an account of before, with another spelling, logs in as before', async () => {
  const email = '<old@x.test>'
  expect((await register('old-1@x.test')).status).toBe(201)
  await shop.db
    .updateTable('users')
    .set({ email, email_key: email })
    .where('email_key', '=', 'old-1@x.test')
    .execute()
  expect((await shop.post('/auth/login', { body: { email, password: PASSWORD } })).status).toBe(200)
})
