import { useEffect, useMemo, useRef, useState } from 'react'
import { useBuyer } from '#app/accounts/web/buyer.ts'
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
  /** Requests another quote when it changes. */
  attempt: number
}

/**
 * The quote of a cart, requested again whenever its products, the choices or the buyer change: some coupons
 * apply once to each customer. The last quote stays while the next one loads.
 */
export function useQuote({ cart, choices, attempt }: Request): State {
  const buyerId = useBuyer()?._id
  const [state, setState] = useState(LOADING)
  const isFirst = useRef(true)
  // a quote refreshes the entries of the cart, which are not quoted again for it
  const ids = cart.map(({ _id }) => _id).join()
  const request = useMemo(
    () => ({ ids, choices, buyerId, attempt }),
    [ids, choices, buyerId, attempt],
  )
  useEffect(() => {
    if (request.ids === '') return setState(EMPTY)
    setState((last) => ({ ...last, failure: null, isLoading: true }))
    const abort = new AbortController()
    const body = { cart: request.ids.split(',').map((_id) => ({ _id })), ...request.choices }
    const timer = setTimeout(
      async () => {
        const next = await abortable(abort.signal)(checkoutCalls.quoteCart, { body }).then(
          (quote): State => ({ ...EMPTY, quote, quoted: request.choices }),
          (error): State => ({ ...EMPTY, failure: messageOf(error, NOT_QUOTED) }),
        )
        if (!abort.signal.aborted) setState(next)
        isFirst.current = false
      },
      isFirst.current ? 0 : DEBOUNCE_MS,
    )
    return () => {
      clearTimeout(timer)
      abort.abort()
    }
  }, [request])
  return state
}
