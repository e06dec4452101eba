import { type ReactNode, useState } from 'react'
import { ComboboxOfSeveral } from '#app/back-office/kit/combobox.client.tsx'
import {
  Checkbox,
  Field,
  Money,
  NumberField,
  Row,
  useBeginning,
} from '#app/back-office/kit/fields.tsx'
import { Card } from '#app/back-office/kit/page.tsx'
import type { PaymentMethod } from '#app/orders/contract.ts'
import type { PaymentMethodSettings } from '#app/settings/admin-contract.ts'
import type { ShippingZone } from '#app/shipping/admin-contract.ts'
import { countryOptions } from '../options.ts'
import { MarkdownField } from './text-fields.tsx'

const TEXTS: Record<PaymentMethod, { title: string; instructions: string }> = {
  pay_on_delivery: { title: 'Pay on delivery', instructions: 'Instructions' },
  bank_transfer: { title: 'Bank transfer', instructions: 'Bank account and instructions' },
}

/** The card of a way to pay without a provider. */
export function paymentMethod(method: PaymentMethod, zones: ShippingZone[]) {
  const { title, instructions } = TEXTS[method]
  const noun = title.toLowerCase()
  const rates = zones.flatMap((zone) =>
    zone.rates.map(({ _id = '', name }) => ({ value: _id, label: `${zone.name}: ${name}` })),
  )
  const nameOf = (part: keyof PaymentMethodSettings) => `paymentMethods.${method}.${part}`
  return (
    <Card title={title}>
      <p className="text-base-content/75">
        Such an order starts out unpaid. When the money arrives, record it on the order's page.
      </p>
      <Offered label={`Offer ${noun}`} name={nameOf('isOffered')}>
        <Row>
          <Field label="Name for customers" name={nameOf('name')} />
          <Money label="Fee" name={nameOf('fee')} hint="Added to the total." />
        </Row>
        <MarkdownField
          label={instructions}
          name={nameOf('instructions')}
          hint="In Markdown: line breaks are kept, an empty line begins a paragraph. Shown with the order and in its e-mail; the shop adds the reference with the number of the order."
          preview={`Preview of ${noun}`}
        />
        <Row>
          <Money
            label="Only up to a total of"
            name={nameOf('maxTotal')}
            hint="With shipping and tax, without the fee. Empty: no limit."
          />
          <NumberField
            label="Days to pay"
            name={nameOf('days')}
            hint="The order holds its stock. Afterwards the customer gets one reminder, and the order is listed under Payments."
          />
          <ComboboxOfSeveral
            label="Only in these countries"
            name={nameOf('countries')}
            hint="With none it is offered in all."
            choices={countryOptions()}
          />
          {rates.length > 0 && (
            <ComboboxOfSeveral
              label="Only with these shipping rates"
              name={nameOf('shippingRates')}
              hint="With none it is offered with all."
              choices={rates}
            />
          )}
        </Row>
      </Offered>
    </Card>
  )
}

/** Fields that stay when the way to pay is switched off: one of them may have to be corrected. */
function Offered({ children, ...field }: { label: string; name: string; children: ReactNode }) {
  const [isOpen, setOpen] = useState(useBeginning(field.name) === true)
  return (
    <>
      <Checkbox {...field} onChange={() => setOpen(true)} />
      {isOpen && children}
    </>
  )
}
