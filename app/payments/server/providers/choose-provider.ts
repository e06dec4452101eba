import { randomBytes } from 'node:crypto'
import { API_PREFIX } from '#app/shared/contract/endpoint.ts'
import type { Log } from '#app/shared/server/domain-module.ts'
import { sharedSecret } from '#app/shared/server/secret-store.ts'
import type { Database } from '#db/schema.ts'
import type { PaymentProvider } from './provider.ts'
import { type Sandbox, sandbox } from './sandbox.ts'

type Settings = {
  /** Whether the sandbox may be used where no keys are set. */
  allowsSandbox: boolean
  keyId: string | undefined
  keySecret: string | undefined
  webhookSecret: string | undefined
  /** Another address of Razorpay's API. */
  apiUrl: string | undefined
  sandboxSecret: string | undefined
}

type Choice = {
  provider: PaymentProvider
  sandbox: Sandbox | null
  /** The secrets that webhooks may be signed with; empty where no webhook is accepted. */
  webhookSecrets: string[]
}

/**
 * The provider where payments are not set up. Its secret is random, so no payment can be verified.
 * Earlier orders and refunds of the sandbox can still be read.
 */
const closedSandbox = (db: Database): PaymentProvider => ({
  ...sandbox(randomBytes(32).toString('hex'), API_PREFIX, db),
  mode: 'none',
})

/**
 * Razorpay when its keys are set, else the sandbox where it is allowed (`sandbox` is then the same
 * provider), else a provider that starts no payment.
 */
export async function chooseProvider(
  { allowsSandbox, keyId, keySecret, webhookSecret, apiUrl, sandboxSecret }: Settings,
  db: Database,
  log: Log,
): Promise<Choice> {
  const webhookSecrets = webhookSecret ? [webhookSecret] : []
  if (keyId && keySecret) {
    // its SDK is loaded only where it is used
    const { razorpay } = await import('./razorpay.ts')
    const provider = razorpay({ keyId, keySecret, log, apiUrl })
    return { provider, sandbox: null, webhookSecrets }
  }
  if (!allowsSandbox) return { provider: closedSandbox(db), sandbox: null, webhookSecrets: [] }
  const secret = sandboxSecret ?? (await sharedSecret(db, 'sandbox_secret'))
  const provider = sandbox(secret, API_PREFIX, db)
  return { provider, sandbox: provider, webhookSecrets: [...webhookSecrets, secret] }
}
