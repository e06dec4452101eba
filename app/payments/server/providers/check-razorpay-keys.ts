const TIMEOUT_MS = 10_000
const API = 'https://api.razorpay.com'

/** Whether Razorpay knows a pair of keys, and Razorpay's time. */
type KeyCheck = { keys: 'known' | 'unknown'; at: Date | null }

/**
 * Checks a pair of keys with one read-only request. Throws when Razorpay does not answer, or not as
 * expected.
 */
export async function checkRazorpayKeys(keys: {
  keyId: string
  keySecret: string
  apiUrl?: string | undefined
}): Promise<KeyCheck> {
  const { keyId, keySecret, apiUrl = API } = keys
  const credentials = Buffer.from(`${keyId}:${keySecret}`).toString('base64')
  const { status, headers } = await fetch(new URL('/v1/orders?count=1', apiUrl), {
    headers: { authorization: `Basic ${credentials}` },
    signal: AbortSignal.timeout(TIMEOUT_MS),
  })
  const date = headers.get('date')
  const at = date === null ? null : new Date(date)
  if (status === 401) return { keys: 'unknown', at }
  if (status === 200) return { keys: 'known', at }
  throw new Error(`it answered ${status}`)
}
