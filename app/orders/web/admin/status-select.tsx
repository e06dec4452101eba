import { useState } from 'react'
import { useRevalidator } from 'react-router'
import { orderAdminCalls } from '#app/orders/admin-contract.ts'
import { ORDER_STATUSES, type Order } from '#app/orders/contract.ts'
import { call } from '#app/shared/web/browser-call.ts'
import { messageOf } from '#app/shared/web/call.ts'
import { toast } from '#app/shared/web/toast.tsx'

/**
 * Changes the status of an order and reloads the list (spec §4). A failure shows a toast and the
 * former value.
 */
export function StatusSelect({ order }: { order: Order }) {
  const { revalidate } = useRevalidator()
  const [wanted, setWanted] = useState<Order['status'] | null>(null)
  const change = async (status: Order['status']) => {
    setWanted(status)
    try {
      await call(orderAdminCalls.setOrderStatus, {
        params: { orderId: order._id },
        body: { status },
      })
      toast.success(`Order ${order.number} is set to ${status}`)
    } catch (error) {
      toast.error(messageOf(error, 'The status could not be changed.'))
    }
    // also after a failure: another admin may have changed the order
    await revalidate()
    setWanted(null)
  }
  return (
    <select
      aria-label={`Status of order ${order.number}`}
      aria-busy={wanted !== null}
      // not `disabled`, which would move the keyboard's focus
      aria-disabled={wanted !== null}
      value={wanted ?? order.status}
      onChange={({ target }) => {
        const status = ORDER_STATUSES.find((one) => one === target.value)
        if (status && wanted === null) void change(status)
      }}
      className="input input-sm w-32 appearance-auto aria-disabled:opacity-60"
    >
      {ORDER_STATUSES.map((status) => (
        <option key={status}>{status}</option>
      ))}
    </select>
  )
}
