/**
 * The back office's calls for the connections of the shop: its payment provider, SMTP server and public address.
 * Secrets are only written: no answer has one.
 */
import { type Static, Type } from 'typebox'
import { ListedFinding } from '../setup/admin-contract.ts'
import { type Contract, endpoint } from '../shared/contract/endpoint.ts'
import { Done, Nullable, Text } from '../shared/contract/fields.ts'

export const CONNECTIONS = ['payments', 'email', 'address'] as const
export type ConnectionName = (typeof CONNECTIONS)[number]

export const ConnectionField = Type.Object({
  name: Type.String(),
  label: Type.String(),
  hint: Type.Optional(Type.String()),
  value: Type.String({ description: 'Empty for a secret' }),
  isWriteOnly: Type.Boolean(),
  isSet: Type.Boolean(),
  ending: Nullable(Type.String({ description: 'The last four characters of a long secret key' })),
})
export type ConnectionField = Static<typeof ConnectionField>

export const Connection = Type.Object({
  name: Type.Enum([...CONNECTIONS]),
  environment: Nullable(
    Type.String({
      description: 'The variable of the environment that sets it; null: it is set here',
    }),
  ),
  isStored: Type.Boolean({ description: 'Whether it is set in the back office' }),
  refusal: Nullable(Type.String({ description: 'Why it cannot be set here, as a sentence' })),
  problem: Nullable(Type.String({ description: 'Why what is stored is not used, as a sentence' })),
  fields: Type.Array(ConnectionField),
})
export type Connection = Static<typeof Connection>

const ByName = Type.Object({ name: Type.Enum([...CONNECTIONS]) })

export const connectionCalls = {
  getConnections: endpoint({
    method: 'GET',
    path: '/settings/connections',
    access: 'admin',
    summary: 'The payment provider, the SMTP server and the public address, without their secrets',
    answer: Type.Array(Connection),
  }),
  saveConnection: endpoint({
    method: 'PUT',
    path: '/settings/connections/:name',
    access: 'admin',
    owner: 'caller',
    summary:
      "Sets a connection after checking the caller's password; an empty secret stays, and an empty first field removes it",
    limits: [
      { by: 'address', max: 30, seconds: 600 },
      { by: 'account', max: 20, seconds: 600 },
    ],
    params: ByName,
    body: Type.Object({
      values: Type.Record(Type.String(), Text({ maxLength: 1000 }), {
        description: 'By the names of the fields',
      }),
      password: Text({ minLength: 1, maxLength: 1000, description: "The caller's" }),
    }),
    answer: Done,
  }),
  testConnection: endpoint({
    method: 'POST',
    path: '/settings/connections/:name/test',
    access: 'admin',
    owner: 'caller',
    summary:
      'Tests a connection as it is in use, and says what is wrong; of the SMTP server, by an e-mail to the caller',
    limits: [
      { by: 'address', max: 30, seconds: 600 },
      { by: 'account', max: 20, seconds: 600 },
    ],
    params: ByName,
    answer: Type.Array(ListedFinding),
  }),
  proveAddress: endpoint({
    method: 'GET',
    path: '/settings/proof/:challenge',
    access: 'public',
    summary: 'Signs a challenge, by which the test of the public address knows this shop',
    params: Type.Object({ challenge: Type.String({ pattern: '^[0-9a-f]{32}$' }) }),
    answer: Type.Object({ proof: Type.String() }),
  }),
} satisfies Contract
