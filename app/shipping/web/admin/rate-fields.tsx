import { type ReactNode, useState } from 'react'
import { Field } from '#app/shared/web/form/field.tsx'
import { MoneyField } from '#app/shared/web/form/money-field.tsx'
import { Select } from '#app/shared/web/form/select.tsx'
import { RATE_KINDS, type RateKind, type ShippingRate } from '#app/shipping/admin-contract.ts'
import { Entries } from './entries.tsx'

export const KIND_NAMES: Record<RateKind, string> = {
  flat: 'One price',
  weight: 'By weight',
  amount: 'By amount',
  pickup: 'Pick-up',
}

export const kindOf = (value: string): RateKind =>
  RATE_KINDS.find((kind) => kind === value) ?? 'flat'

type Props = {
  rate: ShippingRate | undefined
  /** The path of the rate in the body. */
  path: string
  /** The button that removes it. */
  remove: ReactNode
}

/** One rate of a zone. */
export function RateFields({ rate, path, remove }: Props) {
  const [kind, setKind] = useState(rate?.kind ?? 'flat')
  const [former, setFormer] = useState<RateKind[]>([])
  const changeKind = (next: RateKind) => {
    setFormer((all) => [...all, kind])
    setKind(next)
  }
  const tiersOf = (one: RateKind) => (rate?.kind === one ? rate.tiers : undefined)
  return (
    <fieldset className="rounded-box border border-base-300 p-4">
      <legend className="px-2 font-semibold">Rate {Number(path.split('.').at(-1)) + 1}</legend>
      {rate?._id && <input type="hidden" name={`${path}._id`} value={rate._id} />}
      <div className="mb-3 grid items-start gap-3 sm:grid-cols-2">
        <Field
          label="Name"
          name={`${path}.name`}
          hint="Customers see it, such as Standard or Express."
          autoComplete="off"
          defaultValue={rate?.name}
        />
        <Select
          label="Kind"
          name={`${path}.kind`}
          value={kind}
          onChange={({ target }) => changeKind(kindOf(target.value))}
          options={RATE_KINDS.map((one) => ({ value: one, label: KIND_NAMES[one] }))}
        />
        <OfKinds kinds={['flat', 'pickup']} kind={kind} former={former}>
          <MoneyField
            label="Price"
            name={`${path}.price`}
            {...(kind === 'pickup' && { hint: 'Empty: free.' })}
            defaultValue={rate?.price}
          />
        </OfKinds>
        {(['weight', 'amount'] as const).map((one) => (
          <OfKinds key={one} kinds={[one]} kind={kind} former={former}>
            <TierFields kind={one} tiers={tiersOf(one)} list={`${path}.tiers`} />
          </OfKinds>
        ))}
        <OfKinds kinds={['flat', 'weight', 'amount']} kind={kind} former={former}>
          <MoneyField
            label="Free from"
            name={`${path}.freeFrom`}
            hint="The amount of goods, after discounts, from which it is free. Empty: never."
            defaultValue={rate?.freeFrom}
          />
        </OfKinds>
      </div>
      {remove}
    </fieldset>
  )
}

type OfKindsProps = { kinds: RateKind[]; kind: RateKind; former: RateKind[]; children: ReactNode }

/** Fields of some kinds of rate. Those of a former kind keep what was typed, and are not sent. */
function OfKinds({ kinds, kind, former, children }: OfKindsProps) {
  const isShown = kinds.includes(kind)
  if (!isShown && !former.some((one) => kinds.includes(one))) return null
  return (
    <fieldset className="contents" hidden={!isShown} disabled={!isShown}>
      {children}
    </fieldset>
  )
}

type TierProps = {
  kind: 'weight' | 'amount'
  tiers: ShippingRate['tiers']
  /** The path of the tiers in the body. */
  list: string
}

/** The prices of a rate by weight or by amount. */
const TierFields = ({ kind, tiers, list }: TierProps) => (
  <div className="col-span-full space-y-3">
    <p className="text-base-content/75 text-sm">
      {kind === 'weight'
        ? 'A price for each range of weight in grams.'
        : 'A price for each range of the amount of goods, after discounts.'}{' '}
      Each range ends at the number given, which it includes. Without an end it has no limit; above
      the last end this rate is not offered.
    </p>
    <Entries noun="tier" list={list} opened={tiers ?? [undefined]}>
      {(tier, path, remove) => (
        <div className="grid grid-cols-2 items-start gap-3 sm:grid-cols-[1fr_1fr_auto]">
          {kind === 'weight' ? (
            <Field
              label="Up to (grams)"
              name={`${path}.upTo`}
              inputMode="numeric"
              autoComplete="off"
              defaultValue={tier?.upTo ?? ''}
            />
          ) : (
            <MoneyField label="Up to (amount)" name={`${path}.upTo`} defaultValue={tier?.upTo} />
          )}
          <MoneyField label="Price" name={`${path}.price`} defaultValue={tier?.price} />
          <span className="sm:mt-7.5">{remove}</span>
        </div>
      )}
    </Entries>
  </div>
)
