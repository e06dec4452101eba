/** Changes of one or many orders, their e-mails, and notes. */
import { describe, expect, it } from 'vitest'
import { addPerson } from '#tests/support/accounts.ts'
import { openHandledOrders } from '#tests/support/handled-orders.ts'
import { addOrder } from '#tests/support/orders.ts'
import { passPauses, sendEmails } from '#tests/support/smtp.ts'

const { smtp, shop, asAdmin, inboxOf, subjectsOf, change, setStatus, detail, ownOrder, ordered } =
  await openHandledOrders()
const UNKNOWN = '0197f9a0-0000-7000-8000-000000000000'

describe('the e-mail about a status', () => {
  it('waits for ten seconds', async () => {
    const { id, buyer } = await ordered()
    await setStatus(id, { status: 'Shipped' })
    const [event] = (await detail(id)).timeline.filter(({ email }) => email)
    const sendsAt = Date.parse(event?.email?.sendsAt ?? '')
    // both by the clock of the database
    expect(sendsAt - Date.parse(event?.at ?? '')).toBeGreaterThanOrEqual(10_000)
    await sendEmails(shop)
    if (Date.now() < sendsAt)
      expect(smtp.received.filter(({ to }) => to === buyer.email)).toEqual([])
    expect(await subjectsOf(buyer)).toHaveLength(1)
  })

  it('is taken away when the former status is set again without e-mail, and counts as not sent', async () => {
    const { id, number, buyer } = await ordered()
    await setStatus(id, { status: 'Shipped' })
    await setStatus(id, { status: 'Not Process', notify: false })
    expect(await subjectsOf(buyer)).toEqual([])
    await setStatus(id, { status: 'Processing' })
    await passPauses(shop)
    await setStatus(id, { status: 'Shipped' })
    expect(await subjectsOf(buyer)).toEqual([
      `Your order ${number} is being prepared`,
      `Your order ${number} is on its way`,
    ])
  })

  it('is not taken away once it is sent', async () => {
    const { id, number, buyer } = await ordered()
    await setStatus(id, { status: 'Shipped' })
    expect(await subjectsOf(buyer)).toHaveLength(1)
    await setStatus(id, { status: 'Not Process', notify: false })
    await setStatus(id, { status: 'Shipped' })
    expect(await subjectsOf(buyer)).toEqual([`Your order ${number} is on its way`])
  })

  it('is replaced by that of the status that is set next', async () => {
    const { id, number, buyer } = await ordered()
    await setStatus(id, { status: 'Processing' })
    await setStatus(id, { status: 'Shipped' })
    expect(await subjectsOf(buyer)).toEqual([`Your order ${number} is on its way`])
  })

  it('is not sent on request, and a later status is', async () => {
    const { id, number, buyer } = await ordered()
    await setStatus(id, { status: 'Shipped', notify: false })
    await setStatus(id, { status: 'deliverd' })
    expect(await subjectsOf(buyer)).toEqual([`Your order ${number} was delivered`])
  })

  it('is sent again about another shipment only', async () => {
    const { id, number, buyer } = await ordered()
    const ship = (trackingNumber: string | null, more: object = { status: 'Shipped' }) =>
      change({ changes: [{ orderId: id, carrier: 'DHL', trackingNumber, ...more }] })
    await ship('JJD1')
    await subjectsOf(buyer)
    const back = { orderId: id, status: 'Not Process', carrier: null, trackingNumber: null }
    await change({ changes: [back], notify: false })
    expect((await ship('JJD1')).body.mailed).toBe(0)
    await change({ changes: [back], notify: false })
    expect((await ship('JJD2')).body.mailed).toBe(1)
    expect(await subjectsOf(buyer)).toHaveLength(2)
    // without a status, and taken back while it waits
    const { body } = await ship('JJD3', {})
    expect(body.message).toBe('1 order changed. 1 customer will get an e-mail.')
    await change({ changes: body.before, notify: false })
    expect(await subjectsOf(buyer)).toHaveLength(2)
    await ship('JJD3', {})
    expect((await ship('JJD3', { customerNote: 'Thanks' })).body.mailed).toBe(1)
    const mails = await inboxOf(buyer)
    expect(mails.map(({ subject }) => subject)).toEqual(
      mails.map(() => `Your order ${number} is on its way`),
    )
    expect(mails.map(({ text }) => text.match(/JJD\d/)?.[0])).toEqual(['JJD1', 'JJD2', 'JJD3'])
    expect((await ship(null, { carrier: null })).body.mailed).toBe(0)
  })

  it('has the shipment, its link and the note, also those that are entered while it waits', async () => {
    const { id, buyer } = await ordered()
    const trackingNumber = '1Z 999/AA'
    await change({ changes: [{ orderId: id, status: 'Shipped', carrier: 'ups' }] })
    await change({ changes: [{ orderId: id, trackingNumber, customerNote: 'Two parcels.' }] })
    const [message, ...more] = await inboxOf(buyer)
    expect(more).toEqual([])
    for (const part of [
      'Carrier: ups',
      `Tracking number: ${trackingNumber}`,
      'https://www.ups.com/track?tracknum=1Z999%2FAA',
      'Two parcels.',
    ])
      expect(message?.text).toContain(part)
  })
})

describe('PUT /order/orders', () => {
  it('promises no e-mail to a customer without an address', async () => {
    const { id } = await ordered()
    await shop.db.updateTable('orders').set({ buyer_email: '' }).where('id', '=', id).execute()
    const { body } = await change({ selection: { ids: [id] }, set: { status: 'Shipped' } })
    expect(body).toMatchObject({ mailed: 0, message: '1 order changed.' })
    expect((await detail(id)).order).toMatchObject({ status: 'Shipped', mails: [] })
  })

  it('sets each order in its own way, and undoes it by what it answers', async () => {
    const orders = [await ordered(), await ordered(), await ordered()]
    const changes = orders.map(({ id }, at) => ({
      orderId: id,
      status: 'Shipped',
      carrier: 'DHL',
      trackingNumber: `JJD00${at}`,
    }))
    const { body } = await change({ changes })
    expect(body).toMatchObject({
      changed: 3,
      mailed: 3,
      message: '3 orders changed. 3 customers will get an e-mail.',
    })
    for (const [at, { buyer }] of orders.entries())
      expect(await ownOrder(buyer)).toMatchObject({
        status: 'Shipped',
        shipment: {
          carrier: 'DHL',
          trackingNumber: `JJD00${at}`,
          trackingUrl: `https://www.dhl.com/global-en/home/tracking.html?tracking-id=JJD00${at}`,
        },
      })
    const undone = await change({ changes: body.before, notify: false })
    expect(undone.body).toMatchObject({ changed: 3, mailed: 0, message: '3 orders changed.' })
    for (const { buyer } of orders) {
      expect(await ownOrder(buyer)).toMatchObject({ status: 'Not Process' })
      expect(await ownOrder(buyer)).not.toHaveProperty('shipment')
      expect(await subjectsOf(buyer)).toEqual([])
    }
  })

  it('keeps what is not sent, removes what is null, and counts what differs', async () => {
    const { id, buyer } = await ordered()
    const set = (fields: object) => change({ changes: [{ orderId: id, ...fields }] })
    await set({ carrier: 'Bicycle', trackingNumber: '7', customerNote: ' Thanks! ' })
    expect(await ownOrder(buyer)).toMatchObject({
      status: 'Not Process',
      shipment: { carrier: 'Bicycle', trackingNumber: '7', trackingUrl: null },
      customerNote: 'Thanks!',
    })
    expect((await set({ carrier: 'Bicycle' })).body).toMatchObject({ changed: 0, before: [] })
    const { body } = await set({ trackingNumber: null, customerNote: '  ' })
    expect(body.before).toEqual([
      {
        orderId: id,
        trackingNumber: '7',
        customerNote: 'Thanks!',
        expects: { trackingNumber: null, customerNote: null },
      },
    ])
    const order = await ownOrder(buyer)
    expect(order).toMatchObject({ shipment: { carrier: 'Bicycle', trackingNumber: null } })
    expect(order).not.toHaveProperty('customerNote')
  })

  it('sets all of a selection, by ids or by a filter of the list', async () => {
    const buyer = await addPerson(shop.db, { name: 'Selma Selected' })
    const ids = [(await addOrder(shop.db, buyer)).id, (await addOrder(shop.db, buyer)).id]
    const [first = ''] = ids
    const byId = await change({
      selection: { ids: [first, UNKNOWN] },
      set: { status: 'Processing' },
    })
    expect(byId.body).toMatchObject({
      changed: 1,
      before: [{ orderId: first, status: 'Not Process' }],
    })
    const filter = { q: 'selma selected', view: 'to_send' }
    const byFilter = await change({
      selection: { filter },
      set: { status: 'Shipped' },
      notify: false,
    })
    expect(byFilter.body).toMatchObject({ changed: 2, mailed: 0 })
    const none = await change({ selection: { filter }, set: { status: 'Shipped' } })
    expect(none.body).toMatchObject({ changed: 0, message: 'Nothing changed.' })
  })

  it('changes none when another number matches than was seen', async () => {
    const buyer = await addPerson(shop.db, { name: 'Nils Counted' })
    for (const _ of ['first', 'second']) await addOrder(shop.db, buyer)
    const select = (count: number) =>
      change({
        selection: { filter: { q: 'nils counted' }, count },
        set: { status: 'Processing' },
      })
    for (const count of [1, 3])
      expect(await select(count)).toMatchObject({ status: 409, body: { code: 'stale' } })
    expect((await select(2)).body).toMatchObject({ changed: 2 })
  })

  it('refuses no orders, one that is named twice, and more than a thousand', async () => {
    const { id } = await ordered()
    const twice = [{ orderId: id }, { orderId: id.toUpperCase() }]
    const many = Array.from({ length: 1001 }, () => UNKNOWN)
    for (const body of [{}, { changes: [] }, { changes: twice }, { selection: { ids: many } }])
      expect(await change(body)).toMatchObject({ status: 400, body: { code: 'invalid' } })
  })

  it('changes none when one was cancelled before it was paid', async () => {
    const buyer = await addPerson(shop.db)
    const unpaid = { method: 'bank_transfer', dueAt: new Date(Date.now() + 1e8) } as const
    const cancelled = await addOrder(shop.db, buyer, { unpaid })
    await setStatus(cancelled.id, { status: 'cancel' })
    const { id, buyer: other } = await ordered()
    const changes = [cancelled.id, id].map((orderId) => ({ orderId, status: 'Shipped' }))
    const { status, body } = await change({ changes })
    expect([status, body.message]).toEqual([
      409,
      expect.stringContaining(`Order ${cancelled.number} was cancelled before it was paid`),
    ])
    expect(await ownOrder(other)).toMatchObject({ status: 'Not Process' })
  })

  it('is in the history without the tracking number and the note', async () => {
    const { id } = await ordered()
    await change({
      changes: [{ orderId: id, carrier: 'DHL', trackingNumber: 'JJD00', customerNote: 'Hello' }],
    })
    const { body } = await shop.get<{ changes: object[] }[]>(`/audit-log?object=${id}`, asAdmin())
    expect(body[0]?.changes).toEqual(
      expect.arrayContaining([
        { field: 'carrier', before: null, after: 'DHL' },
        { field: 'tracking_number', before: null, after: 'changed' },
        { field: 'customer_note', before: null, after: 'changed' },
      ]),
    )
  })
})

describe('a customer', () => {
  it('gets shipment and notes with the own data, and they are erased with the account', async () => {
    const { id, buyer } = await ordered()
    const fields = { carrier: 'DHL', trackingNumber: 'JJD00', customerNote: 'Enjoy' }
    await change({ changes: [{ orderId: id, status: 'deliverd', ...fields }] })
    await shop.post(`/order/notes/${id}`, asAdmin({ text: 'Third floor' }))
    const { bytes } = await shop.get('/auth/my-data', { token: buyer.token })
    for (const text of ['DHL', 'JJD00', 'Enjoy', 'Third floor'])
      expect(String(bytes)).toContain(text)
    expect((await shop.delete(`/auth/user/${buyer.id}`, asAdmin())).status).toBe(200)
    const { order, notes } = await detail(id)
    expect(notes).toEqual([])
    expect(order).not.toHaveProperty('shipment')
    expect(order).not.toHaveProperty('customerNote')
  })
})
