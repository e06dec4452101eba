/** What the frame of the back office shows of all domains: what waits for somebody, and what a search finds. */
import { type Static, Type } from 'typebox'
import { type Contract, endpoint } from '../shared/contract/endpoint.ts'
import { Day, Id, Price, Text } from '../shared/contract/fields.ts'

export const Waiting = Type.Object({
  ordersToSend: Type.Integer(),
  paymentsInNeed: Type.Integer({ description: 'Payments that need attention' }),
  runningLow: Type.Integer({ description: 'Products of which few are left' }),
  soldOut: Type.Integer({ description: 'Products of which none is left' }),
  undelivered: Type.Object({
    emails: Type.Integer({ description: 'Bounced or failed in the last seven days' }),
    since: { ...Day, description: 'The first of these days' },
  }),
})
export type Waiting = Static<typeof Waiting>

export const Found = Type.Object({
  orders: Type.Array(
    Type.Object({
      _id: Id,
      number: Type.Integer(),
      buyer: Type.String(),
      total: Price,
      currency: Type.String({ description: 'ISO 4217' }),
    }),
    { description: 'With this number, and then those whose number begins with it' },
  ),
  customers: Type.Array(Type.Object({ _id: Id, name: Type.String(), email: Type.String() })),
  products: Type.Array(Type.Object({ _id: Id, name: Type.String(), slug: Type.String() })),
})
export type Found = Static<typeof Found>

export const overviewCalls = {
  getWaiting: endpoint({
    method: 'GET',
    path: '/overview/waiting',
    access: 'admin',
    summary: 'How much waits for somebody, up to a minute old in a large shop',
    query: Type.Object({
      fresh: Type.Optional(Type.Boolean({ description: 'Counts now, as after a change' })),
    }),
    answer: Waiting,
  }),
  search: endpoint({
    method: 'GET',
    path: '/overview/search',
    access: 'admin',
    summary: 'At most five orders, customers and products each that a text finds',
    query: Type.Object({
      q: Text({
        maxLength: 200,
        description:
          'The first digits of the number of an order, with or without #; part of a name or an e-mail, or at least five digits of a phone; of less than three characters the beginning of a word',
      }),
    }),
    answer: Found,
  }),
} satisfies Contract
