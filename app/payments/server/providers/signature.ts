import { createHmac, timingSafeEqual } from 'node:crypto'

const isSignedWith = (secret: string, raw: Buffer, signature: Buffer) => {
  const right = Buffer.from(createHmac('sha256', secret).update(raw).digest('hex'))
  return signature.length === right.length && timingSafeEqual(signature, right)
}

/** Whether the bytes are signed (HMAC-SHA256, in hexadecimal) with one of the secrets. */
export const isSigned = (secrets: string[], raw: Buffer, signature: string): boolean =>
  secrets.some((secret) => isSignedWith(secret, raw, Buffer.from(signature)))
