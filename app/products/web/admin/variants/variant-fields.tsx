import { lazy, Suspense } from 'react'
import { Field, HiddenValue } from '#app/back-office/kit/fields.tsx'
import { VARIANTS_ID } from '#app/products/admin-model.ts'
import { Spinner } from '#app/shared/web/busy.tsx'
import { StockHistory } from '../stock-history.tsx'
import type { Draft } from './draft.ts'
import { type EditProps, OptionsCard } from './options-card.tsx'
import type { useDraft } from './use-draft.ts'

/** The grid is no part of the page's scripts: most products have no options. */
export const loadVariantsCard = () => import('./variants-card.tsx')

const VariantsCard = lazy(loadVariantsCard)

const NO_EDIT = '{}'

type Props = {
  /** Undefined for a new product. */
  product: { _id: string; name: string } | undefined
  variants: ReturnType<typeof useDraft>
  /** The draft with what stands in the fields of a product without options. */
  present: () => Draft
  onLoss: EditProps['onLoss']
}

/** Options and, where there are any, variants, in the form of their product. */
export function VariantFields({ product, variants, present, onLoss }: Props) {
  const { draft, edit, problems, losses, change, write } = variants
  // a new product has one variant, whose cells are fields, until it has options
  const value = product || draft.options.length > 0 ? JSON.stringify(edit) : NO_EDIT
  const isCorrected = edit.changed?.some(({ quantity }) => quantity)
  return (
    <div id={VARIANTS_ID} className="space-y-4">
      <HiddenValue name="variants" value={value} unchanged={NO_EDIT} />
      {losses.length > 0 && (
        <ul role="alert" className="rounded-field border border-warning p-3">
          {losses.map((loss) => (
            <li key={loss}>{loss}</li>
          ))}
        </ul>
      )}
      <OptionsCard
        draft={draft}
        onEdit={change}
        onAdd={(add) => change(add(present()))}
        onLoss={onLoss}
      />
      {draft.options.length > 0 && (
        <Suspense fallback={<Spinner label="Loading the variants" />}>
          <VariantsCard
            draft={draft}
            tools={product && <StockHistory product={product} />}
            problems={problems}
            onEdit={change}
            onTexts={write}
            onLoss={onLoss}
          />
        </Suspense>
      )}
      {draft.options.length > 0 && isCorrected && (
        <Field
          label="Reason"
          name="reason"
          hint="Of the changed stock, such as: counted anew, delivery, broken. It may stay empty."
        />
      )}
    </div>
  )
}
