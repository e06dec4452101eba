/**
 * Settings of the process that admins store, encrypted, where the environment has none. The process opens
 * them (`server/stored-settings.ts`); the settings of the back office change them.
 */
import type { Sealed } from './encryption.ts'

/** The settings that are stored together: the keys of payments, the SMTP server, and the public address. */
export const STORED_GROUPS = ['payments', 'email', 'address'] as const
export type StoredGroup = (typeof STORED_GROUPS)[number]

/** Settings by their names in the environment. */
export type Values = Partial<Record<string, string>>

export type StoredSettings = {
  /** The names of a group's settings. */
  namesOf: (group: StoredGroup) => readonly string[]
  /** The settings of a group that are in effect, of the environment or stored. */
  valuesOf: (group: StoredGroup) => Values
  /** The setting of the environment that takes the place of a stored group; null without one. */
  environmentOf: (group: StoredGroup) => string | null
  /** Whether the group has stored settings, whether or not they are in effect. */
  isStored: (group: StoredGroup) => boolean
  /** Why stored settings are not in effect, as a sentence; null when they are, or there are none. */
  problemOf: (group: StoredGroup) => string | null
  /** Why this shop cannot store any, as sentences; null when it can. */
  refusal: () => string | null
  /** The broken rule if the group had these settings, as a sentence; null when there is none. */
  brokenRule: (group: StoredGroup, values: Values) => string | null
  /** Encrypts a setting. With the embedded database, the first one makes the file of the key. */
  seal: (name: string, text: string) => Promise<Sealed>
  /** Reads them again; when it resolves, this process uses them. Others follow within seconds. */
  refresh: () => Promise<void>
}
