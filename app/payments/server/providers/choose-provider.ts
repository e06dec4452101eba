import { randomBytes } from 'node:crypto'
import { API_PREFIX } from '#app/shared/contract/endpoint.ts'
import type { Log } from '#app/shared/server/domain-module.ts'
import type { Database } from '#db/schema.ts'
import type { PaymentProvider } from './provider.ts'
import { razorpay } from './razorpay.ts'
import { type Sandbox, sandbox } from './sandbox.ts'
import { readOrCreateSecret } from './sandbox-secret.ts'

type Settings = {
  /** Whether the sandbox may be used where no keys are set. */
  allowsSandbox: boolean
  keyId: string | undefined
  keySecret: string | undefined
  webhookSecret: string | undefined
  /** Another address of Razorpay's API. */
  apiUrl: string | undefined
  sandboxSecret: string | undefined
  dataDir: string
}

type Choice = {
  provider: PaymentProvider
  sandbox: Sandbox | null
  /** What reports to the webhook may be signed with; empty where none is to be believed. */
  webhookSecrets: string[]
}

/**
 * The provider where payments are not set up. Its secret is random, so no payment can be verified;
 * orders and refunds that the sandbox knows from before can still be asked for.
 */
const closedSandbox = (db: Database): PaymentProvider => ({
  ...sandbox(randomBytes(32).toString('hex'), API_PREFIX, db),
  mode: 'none',
})

/**
 * Razorpay when its keys are set, else the sandbox where it is allowed, and then `sandbox` is the
 * same provider; else one with which no payment can be started.
 */
export async function chooseProvider(
  { allowsSandbox, keyId, keySecret, webhookSecret, apiUrl, sandboxSecret, dataDir }: Settings,
  db: Database,
  log: Log,
): Promise<Choice> {
  const webhookSecrets = webhookSecret ? [webhookSecret] : []
  if (keyId && keySecret) {
    const provider = razorpay({ keyId, keySecret, log, apiUrl })
    return { provider, sandbox: null, webhookSecrets }
  }
  if (!allowsSandbox) return { provider: closedSandbox(db), sandbox: null, webhookSecrets: [] }
  const secret = sandboxSecret ?? (await readOrCreateSecret(dataDir))
  const provider = sandbox(secret, API_PREFIX, db)
  return { provider, sandbox: provider, webhookSecrets: [...webhookSecrets, secret] }
}
