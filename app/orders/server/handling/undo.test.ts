/** Changes of orders that are undone while other admins work, and notes. */
import { describe, expect, it } from 'vitest'
import { addPerson } from '#tests/support/accounts.ts'
import { openHandledOrders } from '#tests/support/handled-orders.ts'
import { addOrder } from '#tests/support/orders.ts'

const { shop, asAdmin, subjectsOf, change, setStatus, detail, ownOrder, ordered } =
  await openHandledOrders()
const UNKNOWN = '0197f9a0-0000-7000-8000-000000000000'

describe('the undo of PUT /order/orders', () => {
  it('undoes a cancellation of many but for the orders that were not paid', async () => {
    const { id, buyer } = await ordered()
    const unpaid = { method: 'bank_transfer', dueAt: new Date(Date.now() + 1e8) } as const
    const ended = await addOrder(shop.db, buyer, { unpaid })
    const { body } = await change({
      selection: { ids: [id, ended.id] },
      set: { status: 'cancel' },
      notify: false,
    })
    expect(body).toMatchObject({
      changed: 2,
      message: '2 orders changed. The cancellation of 1 unpaid order cannot be undone.',
      before: [{ orderId: id, status: 'Not Process' }],
    })
    expect(body.before).toHaveLength(1)
    expect((await change({ changes: body.before, notify: false })).body.changed).toBe(1)
    expect((await detail(id)).order.status).toBe('Not Process')
  })

  it('does not undo what another admin has changed since, nor its e-mail', async () => {
    const orders = [await ordered(), await ordered()]
    const [{ id = '', number, buyer } = {}] = orders
    const { body } = await change({
      selection: { ids: orders.map((one) => one.id) },
      set: { status: 'Processing' },
      notify: false,
    })
    await setStatus(id, { status: 'Shipped' })
    const undone = await change({ changes: body.before, notify: false })
    expect(undone.body).toMatchObject({
      changed: 1,
      message: '1 order changed. 1 order was changed since, and stays as it is.',
    })
    expect((await detail(id)).order.status).toBe('Shipped')
    expect(buyer && (await subjectsOf(buyer))).toEqual([`Your order ${number} is on its way`])
  })

  it('keeps an unpaid order whose cancellation expects another status', async () => {
    const buyer = await addPerson(shop.db)
    const unpaid = { method: 'bank_transfer', dueAt: new Date(Date.now() + 1e8) } as const
    const { id } = await addOrder(shop.db, buyer, { unpaid })
    const { body } = await change({
      changes: [{ orderId: id, status: 'cancel', expects: { status: 'Shipped' } }],
    })
    expect(body).toMatchObject({ changed: 0, before: [] })
    expect((await detail(id)).order).toMatchObject({ status: 'Not Process', unpaid: {} })
  })
})

describe('notes on an order', () => {
  const add = (id: string, text: unknown) => shop.post(`/order/notes/${id}`, asAdmin({ text }))

  it('are for admins, with their author and time, the newest first', async () => {
    const { id, buyer } = await ordered()
    expect(await add(id, 'Wants it wrapped.')).toMatchObject({
      status: 200,
      body: { message: 'The note is added' },
    })
    await add(id, 'Called: at home on Friday.')
    const { notes, timeline } = await detail(id)
    expect(notes).toMatchObject([
      { text: 'Called: at home on Friday.', author: 'Ada' },
      { text: 'Wants it wrapped.', author: 'Ada' },
    ])
    expect(timeline[0]).toMatchObject({ kind: 'note', by: { kind: 'admin', name: 'Ada' } })
    expect(JSON.stringify(await ownOrder(buyer))).not.toContain('wrapped')
    const [first] = notes
    const remove = () => shop.delete<{ message: string }>(`/order/note/${first?._id}`, asAdmin())
    expect((await remove()).body.message).toBe('The note is deleted')
    expect((await detail(id)).notes).toMatchObject([{ text: 'Wants it wrapped.' }])
    expect((await remove()).status).toBe(404)
  })

  it('need an order and a text', async () => {
    const { id } = await ordered()
    expect((await add(UNKNOWN, 'Hello')).status).toBe(404)
    for (const text of [undefined, '', ' \n', 'x'.repeat(2001)])
      expect((await add(id, text)).status).toBe(400)
  })
})
