import { useMoney } from '#app/shared/web/use-money.ts'
import type { DeliveryDays } from '#app/shipping/contract.ts'
import type { DetailedProduct } from '../contract.ts'

/** The days as customers read them: 2–4 working days. */
function daysText({ least, most }: DeliveryDays): string {
  if (most === 0) return 'on the same working day'
  const range = least === most ? most : `${least}–${most}`
  return `${range} working ${most === 1 ? 'day' : 'days'}`
}

/** What the delivery in the country of the shop costs, and how long it takes, where that is known. */
export function DeliveryLine({ delivery }: Pick<DetailedProduct, 'delivery'>) {
  const money = useMoney()
  if (!delivery) return null
  const { countryName, price, days } = delivery
  const cost =
    price === 0
      ? `Free delivery to ${countryName}`
      : `Delivered to ${countryName} from ${money(price)}`
  return <p className="text-base-content/75">{days ? `${cost}, ${daysText(days)}` : cost}</p>
}
