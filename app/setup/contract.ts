/** The first run: making the first admin of a new shop. */
import { Type } from 'typebox'
import { accountCalls } from '../accounts/contract.ts'
import { User } from '../accounts/session-contract.ts'
import { type BrowserEndpoint, type Contract, endpoint } from '../shared/contract/endpoint.ts'
import { Done, FilledName, stripped, Text } from '../shared/contract/fields.ts'
import { DISPLAYED } from '../shared/contract/public-settings.ts'

const register = accountCalls.register satisfies Pick<BrowserEndpoint, 'body'>
const { name, email, password } = register.body.properties
const { currencyDisplay, timeZone } = DISPLAYED

/** The maximum length of a shop's name, in characters. */
export const MAX_SHOP_NAME = 100

export const setupCalls = {
  makeFirstAdmin: endpoint({
    method: 'POST',
    path: '/setup/first-admin',
    access: 'public',
    summary:
      'Makes the first admin with the code that the shop printed at its start, stores name, country, currency and time zone of the shop, and starts a session; 404 as soon as there is an admin',
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
      country: Type.Optional(Text({ maxLength: 2, description: 'ISO 3166-1; not set by default' })),
      currencyDisplay: Type.Optional({
        ...currencyDisplay,
        description: 'ISO 4217; as the shop was started by default',
      }),
      timeZone: Type.Optional({ ...timeZone, description: 'Of the IANA database; UTC by default' }),
      name,
      email,
      password,
    }),
    answer: Type.Object({
      ...Done.properties,
      user: User,
      token: Type.String({ description: 'Sent as the whole Authorization header' }),
    }),
    status: 201,
  }),
} satisfies Contract
