import { afterAll, beforeAll, vi } from 'vitest'
import type { Figures } from '#app/orders/admin-contract.ts'
import { addPerson, type Person } from './accounts.ts'
import { testShop } from './shop.ts'

/** A shop whose admin reads the sales figures. Figures that take no time are not cached. */
export function figuresShop() {
  const shop = testShop()
  let admin: Person
  beforeAll(async () => {
    admin = await addPerson(shop.db, { admin: true })
    vi.useFakeTimers({ toFake: ['performance'] })
  })
  afterAll(() => void vi.useRealTimers())
  return {
    shop,
    admin: () => admin,
    figures: async () => (await shop.get<Figures>('/order/figures', { token: admin.token })).body,
    setStatus: ({ id }: { id: string }, status: string) =>
      shop.put(`/auth/order-status/${id}`, { token: admin.token, body: { status } }),
  }
}
