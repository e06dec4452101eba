import type { Handlers } from '#app/shared/server/mount.ts'
import type { Database } from '#db/schema.ts'
import type { checkoutCalls } from '../contract.ts'
import { presentQuote } from './presenter.ts'
import { quoteCart } from './service.ts'

type Dependencies = { db: Database; currency: string }

export const checkoutHandlers = ({
  db,
  currency,
}: Dependencies): Handlers<typeof checkoutCalls> => ({
  quoteCart: async ({ body }) => presentQuote(await quoteCart(db, currency, body)),
})
