/**
 * The sandbox's stand-in for Razorpay's checkout.js: the same `window.Razorpay`, a dialog that says
 * it is a test, and a signature from the shop's own server. Served to browsers as one classic
 * script, so it imports nothing but types.
 */
import type { PaymentProof } from '#app/payments/contract.ts'
import type { Checkout, CheckoutOptions, FailureListener } from '../checkout-script.ts'

const STYLE = `
  :host { all: initial }
  dialog {
    box-sizing: border-box; width: min(24rem, calc(100vw - 2rem));
    padding: 0; border: 0; border-radius: 1rem; overflow: hidden;
    font: 1rem/1.5 system-ui, sans-serif;
    color: light-dark(#1f2430, #eceef4); background: light-dark(#fff, #1d212b);
    box-shadow: 0 1.5rem 4rem rgb(0 0 0 / .35);
  }
  dialog::backdrop { background: rgb(10 12 18 / .55) }
  h2 {
    margin: 0; padding: .75rem 1.5rem; font-size: 1rem;
    color: #3d2c00; background: #ffd25e;
  }
  main { display: grid; gap: .25rem; padding: 1.25rem 1.5rem 0 }
  p { margin: 0; overflow-wrap: anywhere }
  .amount { font-size: 2rem; font-weight: 700; line-height: 1.2 }
  .quiet { color: light-dark(#5b6270, #a9b0bf) }
  [role=alert] { color: light-dark(#b3261e, #ff9d94) }
  footer { display: flex; flex-wrap: wrap; gap: .5rem; padding: 1.25rem 1.5rem 1.5rem }
  button {
    flex: 1; min-height: 2.75rem; padding: 0 1rem; border-radius: .6rem; cursor: pointer;
    font: inherit; font-weight: 600; color: inherit;
    background: transparent; border: 1px solid light-dark(#8a91a0, #727a8a);
  }
  button.pay { flex-basis: 100%; color: #fff; background: #1f6f4a; border-color: #1f6f4a }
  button:focus-visible { outline: 3px solid #ffb300; outline-offset: 2px }
  button:disabled { opacity: .6; cursor: progress }
`

/** Texts of the payment are added as such. */
const DIALOG = `
  <dialog aria-labelledby="title">
    <h2 id="title">Test payment — no money moves</h2>
    <main>
      <p class="quiet"></p><p class="amount"></p><p class="quiet"></p><p role="alert"></p>
    </main>
    <footer>
      <button type="button" class="pay">Pay</button>
      <button type="button">Decline</button>
      <button type="button">Close</button>
    </footer>
  </dialog>
`

const payUrl = new URL(
  '/api/v1/payment/sandbox/pay',
  document.currentScript instanceof HTMLScriptElement ? document.currentScript.src : location.href,
)

async function pay(orderId: string): Promise<PaymentProof> {
  const response = await fetch(payUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ razorpay_order_id: orderId }),
  }).catch(() => {
    throw new Error('The shop cannot be reached.')
  })
  const answer = await response.json().catch(() => ({}))
  if (!response.ok) throw new Error(answer.message ?? 'The payment failed.')
  return answer
}

const priceOf = (options: CheckoutOptions) =>
  new Intl.NumberFormat(undefined, {
    style: 'currency',
    currency: options.display_currency ?? options.currency,
    minimumFractionDigits: options.decimals,
    maximumFractionDigits: options.decimals,
  }).format(options.display_amount ?? Number(options.amount) / 10 ** options.decimals)

function buildDialog(options: CheckoutOptions) {
  const host = document.createElement('div')
  const style = new CSSStyleSheet()
  style.replaceSync(STYLE)
  const shadow = host.attachShadow({ mode: 'open' })
  shadow.adoptedStyleSheets = [style]
  shadow.innerHTML = DIALOG
  const [dialog] = shadow.querySelectorAll('dialog')
  const texts = [options.name, priceOf(options), options.description]
  const paragraphs = [...shadow.querySelectorAll('p')]
  for (const [at, text] of texts.entries()) paragraphs[at]?.append(text)
  const message = paragraphs.at(-1)
  const buttons = [...shadow.querySelectorAll('button')]
  const [pay, decline, close] = buttons
  if (!dialog || !message || !pay || !decline || !close)
    throw new Error('The dialog is incomplete.')
  // that of the page, which the visitor may have chosen
  dialog.style.colorScheme = getComputedStyle(document.documentElement).colorScheme
  return { host, dialog, message, buttons, pay, decline, close }
}

type Dialog = ReturnType<typeof buildDialog>

class Razorpay implements Checkout {
  readonly #options: CheckoutOptions
  readonly #listeners: FailureListener[] = []
  #dialog: Dialog | null = null
  #paying = false

  constructor(options: CheckoutOptions) {
    this.#options = options
  }

  on(_event: 'payment.failed', listener: FailureListener) {
    this.#listeners.push(listener)
  }

  open() {
    if (this.#dialog) return
    const built = buildDialog(this.#options)
    this.#dialog = built
    built.pay.addEventListener('click', () => this.#pay(built))
    built.decline.addEventListener('click', () => this.#fail(built, 'The payment was declined.'))
    built.close.addEventListener('click', () => this.close())
    built.dialog.addEventListener('cancel', (event) => {
      event.preventDefault()
      if (!built.close.disabled) this.close()
    })
    document.body.append(built.host)
    built.dialog.showModal()
    built.pay.focus()
  }

  /** Closes without a payment; the result of one in progress is still reported. */
  close() {
    if (this.#remove() && !this.#paying) this.#options.modal.ondismiss()
  }

  #remove() {
    const built = this.#dialog
    this.#dialog = null
    built?.dialog.close()
    built?.host.remove()
    return built !== null
  }

  async #pay(built: Dialog) {
    for (const button of built.buttons) button.disabled = true
    built.message.textContent = ''
    this.#paying = true
    const paid = await pay(this.#options.order_id).catch((error: Error) => error)
    this.#paying = false
    if (!(paid instanceof Error)) {
      this.#remove()
      this.#options.handler(paid)
      return
    }
    if (this.#dialog !== built) {
      this.#options.modal.ondismiss()
      return
    }
    for (const button of built.buttons) button.disabled = false
    this.#fail(built, paid.message)
  }

  /** Like Razorpay's, the dialog stays open for another try, unless there is to be none. */
  #fail(built: Dialog, description: string) {
    built.message.textContent = `${description} You can try again.`
    const error = {
      code: 'BAD_REQUEST_ERROR',
      description,
      source: 'customer',
      step: 'payment_authorization',
      reason: 'payment_failed',
      metadata: { order_id: this.#options.order_id },
    }
    for (const listener of this.#listeners) listener({ error })
    if (!this.#options.retry.enabled) this.close()
  }
}

Object.assign(window, { Razorpay })
