import { guessLimit } from '#app/coupons/server/guesses.ts'
import type { CounterStore } from '#app/shared/server/limits/counters.ts'
import type { Handlers } from '#app/shared/server/mount.ts'
import type { Database } from '#db/schema.ts'
import type { checkoutCalls } from '../contract.ts'
import { presentQuote } from './presenter.ts'
import { quoteAvailable } from './service.ts'

type Dependencies = {
  db: Database
  counters: CounterStore
}

export const checkoutHandlers = ({
  db,
  counters,
}: Dependencies): Handlers<typeof checkoutCalls> => ({
  async quoteCart({ body, caller, request }) {
    const userId = caller?.userId
    const limitGuesses = guessLimit(counters, { address: request.ip, userId })
    return presentQuote(await quoteAvailable(db, { ...body, userId, limitGuesses }))
  },
})
