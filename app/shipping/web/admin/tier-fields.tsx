import { AmountField, ListProblem } from './problem-field.tsx'
import { newTier, type RateDraft, type TierDraft } from './zone-draft.ts'

type Props = {
  kind: RateDraft['kind']
  tiers: TierDraft[]
  /** The name of the tiers in problems. */
  field: string
  onChange: (tiers: TierDraft[]) => void
}

/** The prices of a rate by weight or by amount. */
export function TierFields({ kind, tiers, field, onChange }: Props) {
  const unit = kind === 'weight' ? 'grams' : 'amount'
  const replace = (at: number, tier: TierDraft) => onChange(tiers.with(at, tier))
  return (
    <div className="col-span-full space-y-3">
      <p className="text-base-content/75 text-sm">
        {kind === 'weight'
          ? 'A price for each range of weight in grams.'
          : 'A price for each range of the amount of goods, after discounts.'}{' '}
        Each range ends at the number given, which it includes. Without an end it has no limit;
        above the last end this rate is not offered.
      </p>
      <ListProblem field={field} />
      <ol className="space-y-3">
        {tiers.map((tier, at) => (
          <li
            key={tier.key}
            className="grid grid-cols-2 items-start gap-3 sm:grid-cols-[1fr_1fr_auto]"
          >
            <AmountField
              label={`Up to (${unit})`}
              field={`${field}.${at}.upTo`}
              isNumber={kind === 'weight'}
              value={tier.upTo}
              onChange={(upTo) => replace(at, { ...tier, upTo })}
            />
            <AmountField
              label="Price"
              field={`${field}.${at}.price`}
              value={tier.price}
              onChange={(price) => replace(at, { ...tier, price })}
            />
            <button
              type="button"
              onClick={() => onChange(tiers.filter((one) => one !== tier))}
              className="btn btn-ghost justify-self-start text-error max-sm:btn-sm sm:mt-6.5"
            >
              Remove tier
            </button>
          </li>
        ))}
      </ol>
      <button type="button" onClick={() => onChange([...tiers, newTier()])} className="btn btn-sm">
        Add tier
      </button>
    </div>
  )
}
