import { guessLimit } from '#app/coupons/server/guesses.ts'
import type { CounterStore } from '#app/shared/server/limits/counters.ts'
import type { Handlers } from '#app/shared/server/mount.ts'
import type { Database } from '#db/schema.ts'
import type { checkoutCalls } from '../contract.ts'
import { presentQuote } from './presenter.ts'
import { quoteAvailable } from './service.ts'

/** The settings may change at any time. */
type Dependencies = {
  db: Database
  settings: { CURRENCY_CHARGE: string }
  counters: CounterStore
}

export const checkoutHandlers = ({
  db,
  settings,
  counters,
}: Dependencies): Handlers<typeof checkoutCalls> => ({
  async quoteCart({ body, caller, request }) {
    const userId = caller?.userId
    const limitGuesses = guessLimit(counters, { address: request.ip, userId })
    return presentQuote(
      await quoteAvailable(db, settings.CURRENCY_CHARGE, { ...body, userId, limitGuesses }),
    )
  },
})
