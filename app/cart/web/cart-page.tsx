import { type ReactNode, useEffect, useState } from 'react'
import { useNavigate } from 'react-router'
import { forgetBuyer, useBuyer } from '#app/accounts/web/buyer.ts'
import { renewUser } from '#app/accounts/web/renewed-user.ts'
import { choicesAtom } from '#app/checkout/web/choices.ts'
import { PaymentNotice } from '#app/payments/web/payment-notice.tsx'
import type { CheckoutCallbacks } from '#app/payments/web/use-checkout.ts'
import { useVerifyOnOpen } from '#app/payments/web/use-verification.ts'
import { href } from '#app/shared/model/href.ts'
import { Spinner } from '#app/shared/web/busy.tsx'
import { PageHead } from '#app/shared/web/head.tsx'
import { useHydrated, useStore } from '#app/shared/web/storage.ts'
import { useAnnouncement } from '#app/shared/web/toast.tsx'
import { cartAtom, linesOf, without } from './cart.ts'
import { CartRow } from './cart-row.tsx'
import { CartSummary } from './cart-summary.tsx'
import { useFreshCart } from './use-fresh-cart.ts'

/** The cart (spec §2). It is stored in the browser, so it is rendered there. */
export default function CartPage() {
  const hydrated = useHydrated()
  return (
    // as high as the window from the start, so that the footer does not move
    <section className="mx-auto min-h-dvh max-w-7xl px-4 py-10 lg:px-8">
      <PageHead
        title="Cart"
        description="The items in your cart and their total."
        path={href('/cart')}
      />
      {hydrated ? (
        <Cart />
      ) : (
        <Spinner text="Your cart is stored in your browser and is being loaded." />
      )}
    </section>
  )
}

const itemsOf = (count: number) => (count === 1 ? 'item' : 'items')

const counted = (count: number) =>
  count === 0 ? 'Your cart is empty' : `You have ${count} ${itemsOf(count)} in your cart`

function Cart() {
  const cart = useStore(cartAtom)
  const buyer = useBuyer()
  const { findings, quoting } = useFreshCart()
  const [sentence, notOrdered] = useState<string>()
  const callbacks = useCheckoutCallbacks({ quoteAgain: quoting.retry, notOrdered })
  useRenewedUser(buyer?._id)
  useAnnouncement(`${cart.length} ${itemsOf(cart.length)} in the cart`)
  const verifyAgain = useVerifyOnOpen(true, callbacks)
  const notice = <PaymentNotice notOrdered={sentence} verifyAgain={verifyAgain} />
  return (
    <>
      <header className="mb-8 text-center">
        <h1 className="wrap-anywhere text-4xl">Hello {buyer?.name ?? 'Guest'}</h1>
        <p className="mt-3 text-lg">{counted(cart.length)}</p>
      </header>
      {cart.length === 0 ? (
        <EmptyCart>{notice}</EmptyCart>
      ) : (
        <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_22rem] lg:gap-10">
          <ul aria-label="Items" className="surface divide-y divide-base-300">
            {linesOf(cart).map((line) => (
              <CartRow key={line.product._id} line={line} findings={findings} />
            ))}
          </ul>
          <CartSummary findings={findings} callbacks={callbacks} quoting={quoting}>
            {notice}
          </CartSummary>
        </div>
      )}
    </>
  )
}

/** Shows the address as the server has it now. */
function useRenewedUser(userId: string | undefined) {
  useEffect(() => {
    if (userId !== undefined) void renewUser()
  }, [userId])
}

type Paying = {
  /** Asks for another quote, which refreshes the cart. */
  quoteAgain: () => void
  /** Shows a sentence until the page is left. */
  notOrdered: (sentence: string) => void
}

/** Applies the outcome of a payment to the cart. */
function useCheckoutCallbacks({ quoteAgain, notOrdered }: Paying): CheckoutCallbacks {
  const navigate = useNavigate()
  return {
    paid({ ids }) {
      // entries that another tab has added meanwhile stay
      cartAtom.update((stored) => without(stored, ids))
      void navigate(href('/dashboard/user/orders'), { state: { isOrdered: true } })
    },
    notOrdered,
    isCart(ids) {
      const now = cartAtom.get()
      return now.length === ids.length && without(now, ids).length === 0
    },
    refused({ status }) {
      if (status === 401) return forgetBuyer()
      void renewUser()
      quoteAgain()
    },
  }
}

/** The way to products, and the notice of a payment, if there is one. */
function EmptyCart({ children }: { children: ReactNode }) {
  // a cart that was paid takes its choices with it
  useEffect(choicesAtom.reset, [])
  return (
    <div className="surface mx-auto max-w-3xl space-y-6 px-6 py-16 text-center">
      <p className="text-lg">Items that you add will appear here.</p>
      <a href="/" className="btn btn-primary">
        Look around
      </a>
      {children}
    </div>
  )
}
