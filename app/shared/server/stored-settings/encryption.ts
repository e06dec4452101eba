/** Encryption of stored settings: AES-256-GCM, with the name of the setting as additional data. */
import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto'

/** The smallest length of a secret from which a key is derived, in characters. */
export const MIN_SECRET_LENGTH = 32

const ALGORITHM = 'aes-256-gcm'
const KEY_BYTES = 32
const NONCE_BYTES = 12
const TAG_BYTES = 16

export type EncryptionKey = { id: string; bytes: Buffer }

/** An encrypted setting, as the database has it; `sealed` ends with the tag. */
export type Sealed = { key_id: string; nonce: Buffer; sealed: Buffer }

/** The key of a secret text. Its id is a digest that does not reveal it. */
export function keyOf(secret: string): EncryptionKey {
  const bytes = Buffer.from(hkdfSync('sha256', secret, '', 'haat stored settings', KEY_BYTES))
  const id = createHash('sha256').update('id').update(bytes).digest('hex').slice(0, 16)
  return { id, bytes }
}

/** A random secret for a new key. */
export const newSecret = () => randomBytes(KEY_BYTES).toString('base64')

export function encrypt({ id, bytes }: EncryptionKey, name: string, text: string): Sealed {
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv(ALGORITHM, bytes, nonce).setAAD(Buffer.from(name))
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()])
  return { key_id: id, nonce, sealed }
}

/** The text of a setting; null when none of the keys has encrypted it, or it was changed. */
export function decrypt(keys: EncryptionKey[], name: string, row: Sealed): string | null {
  const key = keys.find(({ id }) => id === row.key_id)
  if (!key) return null
  const tagAt = row.sealed.length - TAG_BYTES
  const decipher = createDecipheriv(ALGORITHM, key.bytes, row.nonce, { authTagLength: TAG_BYTES })
  decipher.setAAD(Buffer.from(name)).setAuthTag(row.sealed.subarray(tagAt))
  try {
    const text = decipher.update(row.sealed.subarray(0, tagAt), undefined, 'utf8')
    return text + decipher.final('utf8')
  } catch {
    // the tag does not belong to these bytes, or to this name
    return null
  }
}
