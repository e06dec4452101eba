import { afterAll } from 'vitest'
import { testShop } from './shop.ts'
import { mailSettings, openSmtp } from './smtp.ts'

/** A shop that sends its e-mails to an SMTP server, for the tests of one file. */
export async function openMailShop() {
  const smtp = await openSmtp()
  afterAll(smtp.close)
  return { smtp, shop: testShop(mailSettings(smtp)) }
}
