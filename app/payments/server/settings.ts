/** The settings of the shop that payments read; `server/config-schema.ts` explains each. */
export type PaymentSettings = {
  PAYMENTS?: 'sandbox'
  CURRENCY_CHARGE: string
  RAZORPAY_KEY_ID?: string
  RAZORPAY_KEY_SECRET?: string
  RAZORPAY_WEBHOOK_SECRET?: string
  RAZORPAY_API_URL?: string
  SANDBOX_SECRET?: string
  RESERVATION_MINUTES: number
  RETRY_SECONDS: number
  RATE_LIMIT: 'on' | 'off'
}
