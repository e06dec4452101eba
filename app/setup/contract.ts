/** The first run: making the first admin of a new shop. */
import { Type } from 'typebox'
import { accountCalls } from '../accounts/contract.ts'
import { User } from '../accounts/session-contract.ts'
import { type Contract, endpoint } from '../shared/contract/endpoint.ts'
import { Done, FilledName, stripped, Text } from '../shared/contract/fields.ts'

const { name, email, password, phone, address } = accountCalls.register.body.properties

/** The maximum length of a shop's name, in characters. */
export const MAX_SHOP_NAME = 100

export const setupCalls = {
  makeFirstAdmin: endpoint({
    method: 'POST',
    path: '/setup/first-admin',
    access: 'public',
    summary:
      'Makes the first admin with the code that the shop printed at its start, names the shop, and starts a session; 404 as soon as there is an admin',
    limits: [{ by: 'address', max: 20, seconds: 600 }],
    changesPages: true,
    body: Type.Object({
      code: stripped(
        'code',
        Text({
          minLength: 1,
          maxLength: 100,
          description: 'Compared without case, spaces and hyphens',
        }),
      ),
      shopName: FilledName(MAX_SHOP_NAME),
      name,
      email,
      password,
      phone,
      address,
    }),
    answer: Type.Object({
      ...Done.properties,
      user: User,
      token: Type.String({ description: 'Sent as the whole Authorization header' }),
    }),
    status: 201,
  }),
} satisfies Contract
