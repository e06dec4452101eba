import { useEffect, useMemo, useState } from 'react'
import { abortable } from '#app/shared/web/browser-call.ts'
import { messageOf } from '#app/shared/web/call.ts'
import type { DeliveryPlace } from '#app/shipping/contract.ts'
import { type Choices, checkoutCalls, type Quote } from '../contract.ts'

/** Milliseconds without another change, after which a quote is requested. */
const DEBOUNCE_MS = 250

type State = {
  /** The last quote; null before the first one and after a failure. */
  quote: Quote | null
  /** The choices of the last quote. */
  quoted: Choices
  /** The reason why there is no quote. */
  failure: string | null
  isLoading: boolean
}

const EMPTY: State = { quote: null, quoted: {}, failure: null, isLoading: false }
const LOADING: State = { ...EMPTY, isLoading: true }

const NOT_QUOTED = 'The total could not be calculated.'

type Request = {
  cart: { _id: string }[]
  choices: Choices & { delivery?: DeliveryPlace | undefined }
  /** The signed-in buyer: some coupons apply once to each customer. */
  buyerId: string | undefined
}

/**
 * The quote of a cart, requested again whenever the cart, the choices or the buyer change. The last
 * quote stays while the next one loads. `retry` requests it once more.
 */
export function useQuote({ cart, choices, buyerId }: Request): State & { retry: () => void } {
  const [state, setState] = useState(LOADING)
  const [attempt, setAttempt] = useState(0)
  const request = useMemo(
    () => ({ cart: cart.map(({ _id }) => ({ _id })), choices, buyerId, attempt }),
    [cart, choices, buyerId, attempt],
  )
  useEffect(() => {
    if (request.cart.length === 0) return setState(EMPTY)
    setState((last) => ({ ...last, failure: null, isLoading: true }))
    const abort = new AbortController()
    const body = { cart: request.cart, ...request.choices }
    const timer = setTimeout(async () => {
      const next = await abortable(abort.signal)(checkoutCalls.quoteCart, { body }).then(
        (quote): State => ({ ...EMPTY, quote, quoted: request.choices }),
        (error): State => ({ ...EMPTY, failure: messageOf(error, NOT_QUOTED) }),
      )
      if (!abort.signal.aborted) setState(next)
    }, DEBOUNCE_MS)
    return () => {
      clearTimeout(timer)
      abort.abort()
    }
  }, [request])
  return { ...state, retry: () => setAttempt((count) => count + 1) }
}
