import { ORDER_STATUSES, type OrderStatus } from '#app/orders/contract.ts'

/** The statuses of an order that is not cancelled, in their order. */
const PROGRESS: OrderStatus[] = ORDER_STATUSES.filter((status) => status !== 'cancel')

/**
 * Whether the buyer is notified of a status: once, and not of one that the order has passed already, because
 * then an admin corrects a mistake. A buyer without an e-mail address is not. The confirmation of the order reports the first status.
 */
export function isNews(
  status: OrderStatus,
  { buyer_email, mailed_statuses: mailed }: { buyer_email: string; mailed_statuses: OrderStatus[] },
): boolean {
  if (buyer_email.trim() === '' || mailed.includes(status)) return false
  const passed = Math.max(0, ...mailed.map((one) => PROGRESS.indexOf(one)))
  return status === 'cancel' || PROGRESS.indexOf(status) > passed
}

type Shipment = { carrier: string | null; tracking_number: string | null }

/** Whether the buyer of an order on its way is notified again: of another shipment than that of the last e-mail. */
export const isOtherShipment = (shipment: Shipment, mailed: Shipment): boolean =>
  (shipment.carrier !== null && shipment.carrier !== mailed.carrier) ||
  (shipment.tracking_number !== null && shipment.tracking_number !== mailed.tracking_number)
