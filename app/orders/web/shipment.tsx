import type { Order } from '../contract.ts'

type Shipment = NonNullable<Order['shipment']>

/** The tracking number, with the page that follows the parcel where the carrier is known. */
export const TrackingNumber = ({
  shipment: { trackingNumber, trackingUrl },
}: {
  shipment: Shipment
}) =>
  trackingUrl ? (
    <a href={trackingUrl} target="_blank" rel="noreferrer" className="link">
      {trackingNumber}
    </a>
  ) : (
    trackingNumber
  )
