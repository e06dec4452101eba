import { Card } from '#app/back-office/kit/card.tsx'
import { Moment, Money, Row, Select } from '#app/back-office/kit/fields.tsx'
import { useShop } from '#app/shared/web/shop.ts'
import { useMoney } from '#app/shared/web/use-money.ts'
import { STATUS_NAMES } from './product-columns.tsx'

/** Whether a product is in the shop, and when that changes by itself. A new one is published, or waits for its time. */
export function StatusCard({ isNew }: { isNew: boolean }) {
  const { timeZone } = useShop()
  return (
    <Card title="Status">
      {!isNew && <Select label="Status" name="status" options={STATUS_NAMES} />}
      <Moment
        label="Publish at"
        name="publishAt"
        hint={`Until then it is a draft. Times are times in ${timeZone}.`}
      />
      <Moment label="Unpublish at" name="unpublishAt" hint="Then it is archived." />
    </Card>
  )
}

type SaleProps = { regularPrice: number | undefined; hasOptions: boolean }

/** A price for a time. */
export function SaleFields({ regularPrice, hasOptions }: SaleProps) {
  const money = useMoney()
  return (
    <>
      <Row>
        <Money
          label="On sale for"
          name="salePrice"
          {...(hasOptions && {
            hint: 'Also the price of the other variants that cost the same.',
          })}
        />
      </Row>
      <Row>
        <Moment label="Sale from" name="saleFrom" />
        <Moment label="Sale until" name="saleUntil" />
      </Row>
      {regularPrice !== undefined && (
        <p className="text-sm">
          The sale has begun, and the price is that of the sale. After it the price is{' '}
          {money(regularPrice)} again, unless you change it meanwhile: then it stays.
        </p>
      )}
    </>
  )
}
