import { API_PREFIX } from '#app/shared/contract/endpoint.ts'
import type { Log, PaymentProvider } from './provider.ts'
import { razorpay } from './razorpay.ts'
import { type Sandbox, sandbox } from './sandbox.ts'
import { keptSecret } from './sandbox-secret.ts'

type Settings = {
  keyId: string | undefined
  keySecret: string | undefined
  sandboxSecret: string | undefined
  dataDir: string
}

/** Razorpay when its keys are set, else the sandbox, and then `sandbox` is the same provider. */
export async function chooseProvider(
  { keyId, keySecret, sandboxSecret, dataDir }: Settings,
  log: Log,
): Promise<{ provider: PaymentProvider; sandbox: Sandbox | null }> {
  if (keyId && keySecret) return { provider: razorpay({ keyId, keySecret, log }), sandbox: null }
  const provider = sandbox(sandboxSecret ?? (await keptSecret(dataDir)), API_PREFIX)
  return { provider, sandbox: provider }
}
